#if Vault
  import BumpText
  import BumpVaultAPI
  import BumpVaultSQLite
  import BumpWallet
  import Crypto
  import Foundation
  import Glibc
  import Lab
  import Testing

  @testable import BumpSignIn

  /// The server as a process that signs people in, with a Maildir or a server of mail.
  @Suite(.serialized, .processes(2, isLong: true)) struct SignInServerTests {
    @Test func `a person signs in with the code of a message, and no file or log has an address, a code or a token`()
      async throws
    {
      try await SignInFolder.with { folder in
        let served = try await ServedVault.start(folder.options)
        let line = try await served.process.line(on: .error) { $0.contains("\"people sign in\"") }
        #expect(try JSONObject(line).string("codes") == "the Maildir \(folder.maildir)")
        let known = try await served.ask("GET", "/api/vault")
        #expect(known.body.contains(#""signIn":{"mail":"maildir","phone":"maildir"}"#), "\(known)")
        let browser = ServedBrowser(served)
        let begun = try await browser.ask("POST", "/api/sign-in", ["email": "Alice.Liddell@example.org"])
        #expect(begun.status == 202, "\(begun)")
        let code = try await folder.code(for: "alice.liddell@example.org", among: 1)
        let flow = try #require(browser.cookies["bump-flow"])
        let entered = try await browser.ask("POST", "/api/sign-in/code", ["code": .string(code)])
        #expect(entered.status == 200, "\(entered)")
        let session = try #require(browser.cookies["bump-session"])
        let key = try wallet(7)
        let wrapped = [UInt8](repeating: 0x5A, count: 60)
        let account = try #require(entered.member("account"))
        let added = try await browser.add([UInt8](repeating: 3, count: 20), wrapped, to: account, by: key)
        #expect(added.status == 200, "\(added)")
        served.process.signal(SIGTERM)
        let finished = try await served.process.finish()
        #expect(finished.status == 0, "\(finished)")

        let texts = ["alice.liddell", "Alice.Liddell", code, flow, session].map { Array($0.utf8) }
        let tokens = try [flow, session].flatMap { spellings(of: try #require(Base64.urlDecoded($0))) }
        let keys = spellings(of: key.exposed)
        let files = try folder.contents()
        #expect(files.contains { $0.name == "vault-accounts.sqlite" })
        for (name, data) in files + [("log", Data(finished.standardError.utf8))] {
          for form in texts + tokens + keys { #expect(!data.holds(form), "\(name)") }
        }
        // The message has the code and its recipient, and nothing that opens a session or a wallet.
        let message = Data(try #require(try folder.messages().first).utf8)
        for form in tokens + keys { #expect(!message.holds(form)) }
        #expect(!message.holds(Array("http".utf8)))

        let again = try await ServedVault.start(folder.options)
        let later = ServedBrowser(again)
        later.cookies = browser.cookies
        let resumed = try await later.ask("GET", "/api/session")
        #expect(resumed.status == 200 && resumed.member("account") == account, "\(resumed)")
        #expect(resumed.body.contains(Base64.urlEncoded(wrapped)))
        again.process.signal(SIGTERM)
        #expect(try await again.process.finish().status == 0)
      }
    }

    @Test func `a code that was durable when the server was killed is good at the next one`() async throws {
      try await SignInFolder.with { folder in
        let served = try await ServedVault.start(folder.options)
        let browser = ServedBrowser(served)
        #expect(try await browser.ask("POST", "/api/sign-in", ["phone": "+49 30 1234567"]).status == 202)
        let code = try await folder.code(for: "+49301234567@sms.invalid", among: 1)
        served.process.signal(SIGKILL)
        _ = try await served.process.finish()
        let again = try await ServedVault.start(folder.options)
        let later = ServedBrowser(again)
        later.cookies = browser.cookies
        #expect(try await later.ask("POST", "/api/sign-in/code", ["code": .string(code)]).status == 200)
        again.process.signal(SIGTERM)
        #expect(try await again.process.finish().status == 0)
      }
    }

    @Test func `with another key than the accounts' own it does not start, and leaves no key`() async throws {
      try await SignInFolder.with { folder in
        let served = try await ServedVault.start(folder.options)
        served.process.signal(SIGTERM)
        #expect(try await served.process.finish().status == 0)
        var status = stat()
        #expect(stat(folder.key, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let other = "\(folder.path)/other.key"
        let refused = try await RunningProcess.start(
          [ServedVault.binary, "serve"] + folder.options + ["--sign-in-key", other]
        ).finish()
        #expect(refused.status == 1 && refused.standardError.contains("made with another key"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: other))
        #expect(chmod(folder.key, 0o644) == 0)
        let readable = try await RunningProcess.start([ServedVault.binary, "serve"] + folder.options).finish()
        #expect(readable.status == 1 && readable.standardError.contains("can be read by others"), "\(readable)")
      }
    }

    @Test func `the upkeep removes flows that have lapsed`() async throws {
      try await SignInFolder.with { folder in
        let served = try await ServedVault.start(folder.options)
        served.process.signal(SIGTERM)
        #expect(try await served.process.finish().status == 0)
        let line = try String(contentsOfFile: folder.key, encoding: .utf8)
        let secret = try #require(Hex.decode(line.utf8.dropLast()))
        let keys = AccountKeys(secret: SymmetricKey(data: secret))
        let store = try await SQLiteAccountStore.open(at: folder.accounts, keys: keys)
        let signIn = SignIn(store, keys: keys, domain: served.vault.domain)
        let address = SignInAddress.mail(try MailAddress("alice@example.org"))
        let begun = try await signIn.begin(at: address, replacing: nil, at: Int64(Date().timeIntervalSince1970) - 700)
        let flow = keys.hash(of: begun.flow)
        #expect(try await store.rows(.entering(flow, earlier: nil)).flows.count == 1)
        let later = try await ServedVault.start(folder.options)
        try await waitUntil("the flow's removal") {
          try await store.rows(.entering(flow, earlier: nil)).flows.isEmpty
        }
        later.process.signal(SIGTERM)
        #expect(try await later.process.finish().status == 0)
      }
    }

    @Test func `codes go to a server of mail, and one that cannot be sent is logged without its address`() async throws
    {
      try await SignInFolder.with { folder in
        for (answers, isSent) in [([:], true), (["RCPT": "550 alice@example.org is unknown"], false)]
          as [([String: String?], Bool)]
        {
          let mail = try ScriptedMailServer(answers)
          defer { mail.end() }
          let served = try await ServedVault.start([
            "--store", folder.store, "--sign-in", "smtp://127.0.0.1:\(mail.port)?tls=none", "--sign-in-sender",
            "codes@vault.example",
          ])
          let browser = ServedBrowser(served)
          #expect(try await served.ask("GET", "/api/vault").body.contains(#""signIn":{"mail":"smtp"}"#))
          #expect(try await browser.ask("POST", "/api/sign-in", ["email": "alice@example.org"]).status == 202)
          if isSent {
            try await waitUntil("the message") { mail.sent.contains("QUIT") }
            #expect(mail.sent.contains("RCPT TO:<alice@example.org>"))
            let code = try #require(mail.sent.first { $0.wholeMatch(of: /[0-9]{6}/) != nil })
            #expect(try await browser.ask("POST", "/api/sign-in/code", ["code": .string(code)]).status == 200)
          } else {
            try await served.process.line(on: .error) { $0.contains("\"a code was not sent\"") }
          }
          #expect(try await browser.ask("POST", "/api/sign-in", ["phone": "+49301234567"]).status == 400)
          served.process.signal(SIGTERM)
          let finished = try await served.process.finish()
          #expect(finished.status == 0 && !finished.standardError.contains("alice"), "\(finished)")
        }
      }
    }

    @Test(arguments: [
      (["--sign-in", "pigeon"], "--sign-in is maildir:/path"), (["--sign-in", "maildir:codes"], "an absolute path"),
      (["--sign-in", "smtp://mail.example"], "--sign-in-sender is missing"),
      (["--sign-in", "smtp://u:tomato@mail.example", "--sign-in-sender", "c@v.example"], "can be seen by others"),
      (["--sign-in", "smtp://u@mail.example", "--sign-in-sender", "c@v.example"], "has no password"),
      (["--sign-in", "smtp://mail.example?tls=none", "--sign-in-sender", "c@v.example"], "without encryption"),
      (["--sign-in", "smtps://mail.example?tls=none", "--sign-in-sender", "c@v.example"], "takes the parameters"),
      (["--sign-in", "maildir:/tmp/x", "--sign-in-sender", "c v"], "--sign-in-sender is an e-mail address"),
      (["--sign-in-key", "/tmp/x"], "belongs to --sign-in"), (["--smtp-password-file", "/x"], "belongs to --sign-in"),
      (["--sign-ins-per-minute", "0"], "--sign-ins-per-minute is 1 to"),
    ])
    func `a wrong option of signing in is one line and the status for it`(
      options: [String], text: String
    ) async throws {
      let finished = try await RunningProcess.start(
        [ServedVault.binary, "serve", "--store", "/nonexistent/vault.sqlite"] + options
      ).finish()
      #expect(finished.status == 64 && finished.standardOutput.isEmpty, "\(finished)")
      #expect(finished.standardError.split(separator: "\n").count == 1, "\(finished)")
      #expect(finished.standardError.contains(text) && !finished.standardError.contains("tomato"), "\(finished)")
    }
  }

  /// Two servers of one vault, on a server of PostgreSQL.
  @Suite(.live, .serialized, .processes(2, isLong: true)) struct SharedSignInTests {
    @Test func `a code that was asked for at one server is entered at the other, and a session is good at both`()
      async throws
    {
      try await SignInFolder.with { folder in
        try await PostgresCluster.with(settings: [:]) { cluster in
          let options = [
            "--postgres", "postgresql://\(PostgresCluster.user)@/postgres?host=\(cluster.socketDirectory)",
            "--sign-in", "maildir:\(folder.maildir)", "--sign-in-key", folder.key,
          ]
          let environment = ["PGPASSWORD": PostgresCluster.password]
          let one = try await ServedVault.start(options, environment: environment)
          let other = try await ServedVault.start(options, environment: environment)
          let browser = ServedBrowser(one)
          #expect(try await browser.ask("POST", "/api/sign-in", ["email": "alice@example.org"]).status == 202)
          let code = try await folder.code(for: "alice@example.org", among: 1)
          let there = ServedBrowser(other)
          there.cookies = browser.cookies
          #expect(try await there.ask("POST", "/api/sign-in/code", ["code": .string(code)]).status == 200)
          browser.cookies = there.cookies
          #expect(try await browser.ask("GET", "/api/session").status == 200)
          #expect(try await browser.ask("POST", "/api/sign-out", ["everywhere": true]).status == 204)
          #expect(try await there.ask("GET", "/api/session").status == 401)
          for server in [one, other] {
            server.process.signal(SIGTERM)
            let finished = try await server.process.finish()
            #expect(finished.status == 0 && !finished.standardError.contains("alice"), "\(finished)")
          }
        }
      }
    }
  }
#endif
