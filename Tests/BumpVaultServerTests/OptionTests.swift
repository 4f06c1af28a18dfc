#if Vault
  import BumpClaims
  import BumpVaultAPI
  import BumpWallet
  import Foundation
  import Lab
  import Testing

  /// What the options of `bump-vault serve` say, and what holds without them.
  @Suite(.serialized, .processes(2, isLong: true)) struct OptionTests {
    @Test func `limits are as the options say, and a log names no claim`() async throws {
      let options = [
        "--cap", "5.00", "--pending", "3", "--deposits-per-day", "4", "--streams-per-address", "1",
        "--draft-seconds", "70", "--expiry-seconds", "7200", "--challenge-number", "77",
      ]
      try await ServedVault.with(options) { served, _ in
        let known = try await served.ask("GET", "/api/vault")
        for text in [
          "\"amount\":\"5.00\"", "\"pending\":3", "\"depositsPerDay\":4", "\"draftSeconds\":70",
          "\"expirySeconds\":7200", "\"faucet\":true",
        ] {
          #expect(known.body.contains(text), "\(known)")
        }
        #expect(try await served.ask("GET", "/api/challenge").body.contains("\"maxnumber\":77"))
        let claim = try ServedClaim(served)
        #expect(try await claim.draft().status == 201)
        try await Wire.open(served.port) { wire in
          try await wire.send("GET \(claim.path)/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
          try await wire.text("event: none\ndata: {")
          #expect(try await served.ask("GET", claim.path + "/events").status == 429)
        }
        try await served.process.line(on: .error) { $0.contains("/api/claims/{name}/events") && $0.contains("429") }
        #expect(!served.process.standardError.text.contains(claim.id.description))
      }
    }

    /// The port is the system's choice, and a proxy's host and protocol are whatever it writes.
    @Test func `the vault signs the URL that its option names, or else the address at which it listens`() async throws {
      let path = "/api/vault?nonce=\(String(repeating: "0f", count: 32))"
      let headers = "X-Forwarded-Host: thief.example\r\nX-Forwarded-Proto: https\r\n"
      for options in [[], ["--public-url", "https://vault.example:443/"]] {
        try await ServedVault.with(options) { served, _ in
          let statement = try VaultStatement(Array(try await served.ask("GET", path, nil, headers).body.utf8))
          let proof = try #require(statement.proof)
          #expect(
            proof.origin.description == (options.isEmpty ? "http://127.0.0.1:\(served.port)" : "https://vault.example"))
          #expect(proof.isMade(by: served.vault.vault, hasFaucet: true))
        }
      }
    }

    @Test func `so many clients are connected at once as the option says, and the next one waits until one has gone`()
      async throws
    {
      try await ServedVault.with(["--clients", "2"]) { served, _ in
        let path = "/api/claims/\(try ServedClaim(served).id)/refund"
        try await Wire.open(served.port) { staying in
          // The name of an unknown field comes back in the answer.
          @Sendable func ask(_ wire: Wire, _ mark: String) async throws {
            let body = "{\"\(mark)\":1}"
            try await wire.send(
              "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            try await #expect(wire.text("\(mark)").text.contains(mark))
          }
          try await ask(staying, "first")
          let isAnswered = ObservedValue(false)
          let waiting = try await Wire.open(served.port) { leaving in
            try await ask(leaving, "second")
            let waiting = Task {
              let reply = try await served.ask("GET", "/healthz")
              isAnswered.change { $0 = true }
              return reply
            }
            for number in 1...20 { try await ask(staying, "again\(number).") }
            #expect(!isAnswered.value)
            return waiting
          }
          #expect(try await waiting.value.status == 200)
        }
      }
    }

    @Test func `where the system allows fewer open files than clients, fewer are served, and the log says so`()
      async throws
    {
      let directory = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let store = "\(directory)/vault.sqlite"
      let served = try await ServedVault.start(["--store", store], within: ["prlimit", "--nofile=102:102"])
      let line = try await served.process.line(on: .error) { $0.contains("fewer open files") }
      #expect(try JSONObject(line).string("clients") == "30", "102 less 64 and 8 of the database's: \(line)")
      // Forty connect, and nobody is refused.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<40 {
          group.addTask {
            let answer = try await served.ask("GET", "/healthz")
            #expect(answer.status == 200)
          }
        }
        try await group.waitForAll()
      }
      served.process.signal(SIGTERM)
      #expect(try await served.process.finish().status == 0)
      let few = try await RunningProcess.start([
        "prlimit", "--nofile=70:70", ServedVault.binary, "serve", "--store", store,
      ])
      .finish()
      #expect(few.status == 1 && few.standardError.contains("allows 70 open files"), "\(few)")
    }

    @Test func `a proxy is believed by the header that is named, and there is no faucet unless it is asked for`()
      async throws
    {
      let directory = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let process = try await RunningProcess.start([
        ServedVault.binary, "serve", "--store", "\(directory)/vault.sqlite", "--listen", "127.0.0.1:0",
        "--proxy", "127.0.0.1", "--proxy-header", "Forwarded", "--public-url", "https://vault.example",
      ])
      let line = try await process.line(on: .error) { $0.contains("\"listening\"") }
      let url = try #require(JSONObject(line).string("url"))
      let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
      func ask(_ method: String, _ path: String, _ body: String = "", _ headers: String = "") async throws -> Reply {
        try await ServedVault.ask(port, method, path, body, headers, host: "vault.example")
      }
      let known = try await ask("GET", "/api/vault")
      #expect(known.body.contains("\"faucet\":false") && known.body.contains("\"challenge\":true"), "\(known)")
      #expect(try await ask("POST", "/api/faucet", "{}").status == 404)
      let token = try #require(known.body.firstMatch(of: /"symbol":"USDC","address":"(0x[0-9a-fA-F]{40})"/)).1
      let expiry = (Int64(Date().timeIntervalSince1970) + 3600) / 60 * 60
      let body = JSONValue.object([
        .init("token", .string(String(token))), .init("amount", .string("1.00")), .init("expiry", .integer(expiry)),
      ]).text
      for (header, type) in [
        ("Forwarded: for=192.0.2.1;proto=https", "challenge-required"), ("Forwarded: for=192.0.2.1", "insecure"),
        ("X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https", "insecure"),
      ] {
        let reply = try await ask("POST", "/api/claims", body, header + "\r\n")
        #expect(reply.member("type") == "/problems/\(type)", "\(header): \(reply)")
      }
      process.signal(SIGTERM)
      #expect(try await process.finish().status == 0)
    }

    @Test func `a vault listens on this machine alone unless it is told otherwise`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: directory) }
      // In a network of its own, so that nobody else has the port.
      let process = try await RunningProcess.start([
        "unshare", "--net", "sh", "-c", #"ip link set lo up && exec "$0" "$@""#, ServedVault.binary, "serve", "--store",
        "\(directory)/vault.sqlite",
      ])
      let line = try await process.line(on: .error) { $0.contains("\"listening\"") }
      #expect(try JSONObject(line).string("url") == "http://127.0.0.1:8642")
      // Each line: number, own address and port, peer's, state. 0A is LISTEN (proc_pid_net(5)).
      var listening: [Substring] = []
      for table in ["tcp", "tcp6"] {
        let text = try String(contentsOfFile: "/proc/\(process.processID)/net/\(table)", encoding: .utf8)
        for line in text.split(separator: "\n") {
          let columns = line.split(separator: " ")
          if columns.count > 3, columns[3] == "0A" { listening.append(columns[1]) }
        }
      }
      #expect(listening == ["0100007F:21C2"])
      process.signal(SIGTERM)
      #expect(try await process.finish().status == 0)
    }

    @Test func `pages and the association file are served by a real server, in the language that is asked for`()
      async throws
    {
      let folder = FileManager.default.temporaryDirectory.appending(path: "aasa-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      // The file that an operator has from `bump-clip aasa write`.
      let written = try await RunningProcess.start([
        BumpCommand.clip, "aasa", "write", folder.path, "--product", "roadflare",
      ]).finish()
      try #require(written.status == 0, "\(written)")
      let file = folder.appending(path: "sites/roadflare.app/.well-known/apple-app-site-association")
      let content = try String(contentsOf: file, encoding: .utf8)
      try await ServedVault.with(["--association-file", file.path]) { served, _ in
        let association = try await served.ask("GET", "/.well-known/apple-app-site-association")
        #expect(association.status == 200 && association.body == content && association.isWhole, "\(association)")
        #expect(association.description.lowercased().contains("\r\ncontent-type: application/json\r\n"))
        let page = try await served.ask("GET", "/claim/x", nil, "Accept-Language: de, en;q=0.5\r\n")
        #expect(page.status == 200 && page.isWhole && page.body.contains("<html lang=\"de\""), "\(page)")
        #expect(page.description.lowercased().contains("\r\ncontent-security-policy: default-src 'none'; "))
        let name = try #require(page.body.firstMatch(of: /src="(\/page\/[0-9a-f]{16}\/claim\.js)"/)).1
        let script = try await served.ask("GET", String(name))
        #expect(script.status == 200 && script.isWhole && !script.body.isEmpty, "\(script)")
        try await served.process.line(on: .error) { $0.contains("/claim/{id}") && $0.contains("200") }
      }
    }

    @Test func `an association file that Apple's systems could not read is an error at the start`() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "aasa-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let long = "{\"x\":\"\(String(repeating: "a", count: 131_065))\"}"
      let contents: [(Data?, String)] = [
        (nil, "no such file"), (Data("{".utf8), "not a JSON object"), (Data("[]".utf8), "not a JSON object"),
        (Data(), "not a JSON object"), (Data("\u{FEFF}{}".utf8), "not a JSON object"),
        (Data([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]), "not a JSON object"),
        (Data(long.utf8), "more than 131072 bytes"),
      ]
      for (number, (content, reason)) in contents.enumerated() {
        let file = folder.appending(path: "\(number)")
        try content?.write(to: file)
        let finished = try await RunningProcess.start([
          ServedVault.binary, "serve", "--store", "\(folder.path)/vault.sqlite", "--association-file", file.path,
        ]).finish()
        #expect(finished.status == 1 && finished.standardError.contains(reason), "\(finished)")
        #expect(finished.standardError.split(separator: "\n").count == 1, "\(finished)")
      }
      #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/vault.sqlite"))
    }

    @Test func `arguments that cannot be read are an error`() async throws {
      let script = #"mount -t tmpfs none /proc; exec "$0" --version"#
      let shown = try await RunningProcess.start(["unshare", "-m", "sh", "-c", script, ServedVault.binary]).finish()
      #expect(shown.status == 1 && shown.standardOutput.isEmpty, "\(shown)")
      let words = "bump-vault: the arguments cannot be read. Is /proc mounted?"
      #expect(shown.standardError.hasPrefix(words), "\(shown)")
    }
  }
#endif
