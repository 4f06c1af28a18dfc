#if Vault
  import BumpClaims
  import BumpVaultAPI
  import BumpWallet
  import Foundation
  import Lab
  import Testing

  /// The server as a process, over a socket.
  @Suite(.serialized, .processes(2, isLong: true)) struct ServerTests {
    @Test func `a claim lives its whole life over HTTP, and its secret is found nowhere afterwards`() async throws {
      try await ServedVault.with { served, store in
        let (sender, receiver) = (try wallet(1), try wallet(2).address)
        let (proven, shown) = (try ServedClaim(served), try ServedClaim(served))
        try await proven.lock(by: sender)
        try await shown.lock(by: sender)
        let receipt = try await proven.take(to: receiver)
        #expect(receipt.status == 200 && receipt.member("status") == "claimed", "\(receipt)")
        #expect(try await proven.take(to: receiver).receipt == receipt.receipt)
        #expect(try await proven.take(to: wallet(3).address).status == 409)
        let payout = PayoutRequest(receiver: receiver, .secret(shown.secret, of: shown.id)).json
        #expect(try await served.ask("POST", shown.path + "/claim", payout).status == 200)
        // Also where it comes in a body that is refused.
        #expect(try await served.ask("POST", shown.path + "/refund", payout).status == 400)
        let request = AccountRequest(
          account: receiver, validBefore: Int64(Date().timeIntervalSince1970) + 300, domain: served.vault.domain)
        let signed = "Authorization: \(request.authorization(by: try wallet(2)))\r\n"
        let balances = try await served.ask("GET", "/api/accounts/\(receiver)", nil, signed)
        #expect(balances.status == 200 && balances.body.contains("\"2.00\""), "\(balances)")
        served.process.signal(SIGTERM)
        let finished = try await served.process.finish()
        #expect(finished.status == 0, "\(finished)")
        let folder = URL(filePath: store).deletingLastPathComponent().path
        var places = try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
          (name, try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
        }
        #expect(!places.isEmpty)
        places.append(("log", Data((finished.standardError + finished.standardOutput).utf8)))
        for (name, data) in places {
          for form in [proven, shown].flatMap({ spellings(of: $0.secret.exposed) }) {
            #expect(!data.holds(form), "\(name)")
          }
        }
        let audit = try await RunningProcess.start([ServedVault.binary, "audit", "--store", store]).finish()
        #expect(audit.status == 0 && audit.standardOutput.contains("The books are in order."), "\(audit)")
      }
    }

    @Test func `a stream of events says each change when it happens`() async throws {
      try await ServedVault.with { served, _ in
        let claim = try ServedClaim(served)
        #expect(try await claim.draft().status == 201)
        try await Wire.open(served.port) { wire in
          try await wire.send("GET \(claim.path)/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
          #expect(try await wire.text("event: none\ndata: {").text.contains("text/event-stream"))
          try await claim.lock(by: wallet(1))
          try await wire.text("event: pending\ndata: {")
          #expect(try await claim.take(to: wallet(2).address).status == 200)
          let last = try await wire.text("event: claimed\ndata: {")
          #expect(last.text.contains("event: claimed"), "\(last)")
        }
      }
    }

    @Test func `a server that is to end answers what it has begun, ends its streams, and loses nothing`() async throws {
      try await ServedVault.with { served, store in
        let (sender, receiver) = (try wallet(1), try wallet(2).address)
        let claim = try ServedClaim(served)
        try await claim.lock(by: sender)
        let body = try claim.payout(to: receiver).text
        let other = try ServedClaim(served)
        try await other.lock(by: sender)
        let answer = try await Wire.open(served.port) { watcher in
          try await watcher.send("GET \(other.path)/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
          try await watcher.text("event: pending\ndata: {")
          let answer = try await Self.answer(to: claim, body, whileEnding: served)
          // Its last piece says that it is whole.
          #expect(try await watcher.end().hasSuffix("\r\n0\r\n\r\n"))
          return answer
        }
        #expect(answer.status == 200 && answer.member("receiver") == receiver.description, "\(answer)")
        let finished = try await served.process.finish()
        #expect(finished.status == 0 && finished.standardError.contains("\"ended\""), "\(finished)")
        let again = try await ServedVault.start(["--store", store])
        let repeated = try await again.ask("POST", claim.path + "/claim", claim.payout(to: receiver))
        #expect(repeated.receipt == answer.receipt)
        again.process.signal(SIGINT)
        #expect(try await again.process.finish().status == 0)
      }
    }

    private static func answer(
      to claim: ServedClaim, _ body: String, whileEnding served: ServedVault
    ) async throws -> Reply {
      try await Wire.open(served.port) { wire in
        // All of the request but its last byte, in one piece with a whole one before it. Once that is answered, the server
        // has begun with the second.
        let request =
          "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nPOST \(claim.path)/claim HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body.dropLast())"
        try await wire.send(request)
        let healthy = try await wire.text("{\"status\":\"ok\"}")
        served.process.signal(SIGTERM)
        try await wire.send(String(body.suffix(1)))
        return Reply(String(try await wire.end().dropFirst(healthy.text.count)))
      }
    }

    @Test func `a body of ten megabytes is refused, with its size said or not`() async throws {
      try await ServedVault.with { served, _ in
        let large = String(repeating: " ", count: 10_000_000)
        let reply = try await ServedVault.ask(served.port, "POST", "/api/claims", large)
        #expect(reply.status == 413 && reply.member("type") == "/problems/too-large")
        let chunked = try await Wire.open(served.port) { wire in
          try await wire.send(
            "POST /api/claims HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
          )
          try? await wire.send("989680\r\n" + large + "\r\n0\r\n\r\n")
          return Reply(try await wire.end())
        }
        #expect(chunked.status == 413 && chunked.member("type") == "/problems/too-large")
        #expect(try await served.ask("GET", "/healthz").status == 200)
      }
    }

    @Test func `what comes too slowly is closed, however steadily it comes`() async throws {
      try await ServedVault.with { served, _ in
        let head =
          "POST /api/claims HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
        async let body = Wire.open(served.port) { wire in
          try await wire.send(head)
          let drip = Task { while true { try await Task.sleep(for: .milliseconds(200)); try await wire.send(" ") } }
          defer { drip.cancel() }
          return Reply(try await wire.end())
        }
        async let line = Wire.open(served.port) { wire in
          try await wire.send("GET /healthz HTTP/1.1\r\n")
          let drip = Task {
            while true { try await Task.sleep(for: .milliseconds(200)); try await wire.send("X: y\r\n") }
          }
          defer { drip.cancel() }
          return try await wire.end()
        }
        let (refused, closed) = try await (body, line)
        #expect(refused.status == 408 && closed == "", "\(refused)")
      }
    }

    @Test(arguments: [
      (#"{"token":1,"token":2}"#, "/problems/duplicate-field"),
      (#"{"surprise":1,"amount":"1"}"#, "/problems/missing-field"),
      (String(repeating: "[", count: 8000), "/problems/malformed"), (#"{"amount":1.5}"#, "/problems/float"),
    ])
    func `a body that is not as it must be is refused by name`(body: String, type: String) async throws {
      try await ServedVault.with { served, _ in
        let reply = try await ServedVault.ask(served.port, "POST", "/api/claims", body)
        #expect(reply.status == 400 && reply.member("type") == type, "\(reply)")
      }
    }

    @Test func `what is no HTTP is closed, and the server goes on`() async throws {
      try await ServedVault.with { served, _ in
        let long = String(repeating: "a", count: 200_000)
        for text in [
          "\u{16}\u{3}\u{1}\u{0}\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n",
          "\r\n\r\n\r\nx y z\r\n\r\n",
        ] {
          let answer = try await Wire.open(served.port) { wire in
            try? await wire.send(text)
            return try await wire.end()
          }
          #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
        }
        #expect(try await served.ask("GET", "/readyz").status == 200)
      }
    }

    @Test func `a head is taken up to its limits in fields and in bytes, and no further`() async throws {
      try await ServedVault.with { served, _ in
        // Host and Connection are two fields more, and 30 bytes or so.
        let heads: [(fields: Int, bytes: Int, isTaken: Bool)] = [
          (62, 10, true), (63, 10, false), (1, 8000, true), (1, 8200, false), (3, 5200, true), (3, 5600, false),
        ]
        for head in heads {
          let field = "X: \(String(repeating: "a", count: head.bytes))\r\n"
          let text = String(repeating: field, count: head.fields)
          let answer = try await Wire.open(served.port) { wire in
            try? await wire.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\(text)\r\n")
            return try await wire.end()
          }
          #expect(answer.hasPrefix("HTTP/1.1 200") == head.isTaken, "\(head): \(answer)")
        }
      }
    }

    @Test func `a thousand claimants at once, one winner`() async throws {
      try await ServedVault.with { served, _ in
        let claim = try ServedClaim(served)
        try await claim.lock(by: wallet(1))
        try await expectOneWinner(of: claim, at: [served])
      }
    }

    @Test func `a server that is killed again and again keeps every receipt that it gave`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let store = ["--store", "\(directory)/vault.sqlite"]
      var receipts: [(ServedClaim, String)] = []
      for round in 0..<5 as Range<UInt64> {
        let served = try await ServedVault.start(store)
        let claims = try (0..<8).map { _ in try ServedClaim(served) }
        let taken = await withTaskGroup(of: (ServedClaim, String)?.self) { group in
          for (index, claim) in claims.enumerated() {
            group.addTask {
              do {
                try await claim.lock(by: wallet(100 + round * 8 + UInt64(index)))
                let reply = try await claim.take(to: wallet(2).address)
                return reply.status == 200 ? (claim, reply.receipt) : nil
              } catch {
                return nil
              }
            }
          }
          // The first receipt is the signal. The others are somewhere on their way then.
          var taken: [(ServedClaim, String)] = []
          for await pair in group {
            served.process.signal(SIGKILL)
            if let pair { taken.append(pair) }
          }
          return taken
        }
        _ = try await served.process.finish()
        receipts += taken
      }
      #expect(receipts.count >= 5)
      let last = try await ServedVault.start(store)
      for (claim, receipt) in receipts {
        #expect(try await claim.take(to: wallet(2).address, at: last).receipt == receipt)
      }
      last.process.signal(SIGTERM)
      #expect(try await last.process.finish().status == 0)
      let audit = try await RunningProcess.start([ServedVault.binary, "audit"] + store).finish()
      #expect(audit.status == 0, "\(audit)")
    }

    @Test(arguments: [
      (["serve", "--listen", "nowhere"], "--listen is an address"), (["serve", "--cap", "-1"], "--cap"),
      (["serve", "--proxy", "10.0.0.0/99"], "--proxy is"), (["serve", "--tls-key", "/x"], "belong together"),
      (["serve", "--postgres", "mysql://a"], "postgresql://user@host"),
      (["serve", "--postgres", "postgresql://u:tomato@h/d"], "password"), (["serve", "--surprise"], "--surprise"),
      (["serve", "--store", "/tmp/x", "--postgres", "postgresql://u@h/d"], "exclude each other"),
      (["serve", "--store", "/tmp/x", "--moved", "--copied"], "exclude each other"), (["sell"], "sell"),
      (["serve", "--listen", "0.0.0.0:0"], "0.0.0.0 is not one address. Say with --public-url"),
      (["serve", "--listen", "[::]:0"], ":: is not one address. Say with --public-url"),
      (["serve", "--proxy", "127.0.0.1"], "at its proxy. Say with --public-url"),
      (["serve", "--public-url", "vault.example"], "--public-url is https://"),
      (["serve", "--public-url", "https://vault.example/path"], "--public-url is https://"),
      (["serve", "--public-url", "http://vault.example"], "--public-url is https://"),
      (["serve", "--public-url", "http://192.0.2.7:8642"], "or http:// on this machine"),
      (["serve", "--public-url", "http://localhost.example"], "or http:// on this machine"),
      (["audit", "--store", "/tmp/x", "--copied"], "--copied"),
      (["clock", "--confirm", "noon"], "--confirm is a time"),
      (["serve", "--clients-per-address", "0"], "--clients-per-address"),
      (["serve", "--hepl"], "unknown option '--hepl'. Did you mean '--help'? See `bump-vault --help`"),
      (["serve", "--halp"], "Did you mean '--help'?"), (["audit", "--hlep"], "Did you mean '--help'?"),
      (["serve", "--lsiten", "x"], "Did you mean '--listen'?"),
    ])
    func `a wrong argument is one line and the status for it`(arguments: [String], text: String) async throws {
      let finished = try await RunningProcess.start(
        [ServedVault.binary] + arguments, environment: ["HOME": "/nonexistent"]
      )
      .finish()
      #expect(finished.status == 64 && finished.standardOutput.isEmpty, "\(finished)")
      #expect(
        finished.standardError.split(separator: "\n").count == 1 && finished.standardError.contains(text), "\(finished)"
      )
      #expect(!finished.standardError.contains("tomato"))
    }

    @Test func `what cannot be opened is one line and status 1`() async throws {
      try await ServedVault.with { served, store in
        let taken = ["serve", "--store", store + ".other", "--listen", "127.0.0.1:\(served.port)"]
        for arguments in [
          ["serve", "--store", "/proc/x/vault.sqlite"], taken,
          ["serve", "--store", store + ".tls", "--tls-certificate", "/nothing", "--tls-key", "/nothing"],
        ] {
          let finished = try await RunningProcess.start([ServedVault.binary] + arguments).finish()
          #expect(finished.status == 1 && finished.standardError.contains("bump-vault: "), "\(finished)")
        }
      }
    }
  }

  /// Lets a thousand receivers ask at once, and expects that one is paid, and all others are told which.
  func expectOneWinner(of claim: ServedClaim, at servers: [ServedVault]) async throws {
    // Signed before any is sent: a server closes a connection on which no request comes.
    let requests = try (0..<1000).map { try claim.payout(to: wallet(UInt64(1000 + $0)).address) }
    let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
      for (number, request) in requests.enumerated() {
        group.addTask { try await servers[number % servers.count].ask("POST", claim.path + "/claim", request) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let winners = replies.filter { $0.status == 200 }
    #expect(winners.count == 1)
    let receipt = try #require(winners.first).receipt
    #expect(replies.count { $0.status == 409 && $0.body.contains(receipt) } == 999)
  }
#endif
