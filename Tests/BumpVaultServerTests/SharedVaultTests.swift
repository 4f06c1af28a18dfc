#if Vault
  import BumpClaims
  import BumpVaultAPI
  import BumpWallet
  import Foundation
  import Lab
  import Testing

  /// Two servers of one vault, on a server of PostgreSQL.
  @Suite(.live, .serialized, .processes(2, isLong: true)) struct SharedVaultTests {
    /// Starts both servers, gives a test both, ends them, and audits.
    ///
    /// - Parameter clock: the environment of the second, whose clock may be ahead.
    private func withTwo(
      _ arguments: [String] = [], clock: [String: String] = [:],
      _ body: @Sendable (ServedVault, ServedVault, PostgresCluster) async throws -> Void
    ) async throws {
      try await PostgresCluster.with(settings: [:]) { cluster in
        let url = "postgresql://\(PostgresCluster.user)@/postgres?host=\(cluster.socketDirectory)"
        let environment = ["PGPASSWORD": PostgresCluster.password]
        let servers = [
          try await ServedVault.start(["--postgres", url] + arguments, environment: environment),
          try await ServedVault.start(
            ["--postgres", url] + arguments, environment: environment.merging(clock) { $1 }),
        ]
        #expect(servers[0].vault == servers[1].vault)
        do {
          try await body(servers[0], servers[1], cluster)
        } catch {
          for server in servers { server.process.signal(SIGKILL) }
          throw error
        }
        for server in servers {
          server.process.signal(SIGTERM)
          let finished = try await server.process.finish()
          #expect(finished.status == 0, "\(finished)")
          #expect(!finished.standardError.contains(PostgresCluster.password))
        }
        let audit = try await RunningProcess.start(
          [ServedVault.binary, "audit", "--postgres", url],
          environment: environment.merging(["HOME": "/nonexistent"]) { given, _ in given }
        ).finish()
        #expect(audit.status == 0 && audit.standardOutput.contains("The books are in order."), "\(audit)")
      }
    }

    @Test func `a thousand claimants at two servers, one winner`() async throws {
      try await withTwo { one, other, _ in
        let claim = try ServedClaim(one)
        try await claim.lock(by: wallet(1))
        try await expectOneWinner(of: claim, at: [one, other])
      }
    }

    @Test func `two servers whose clocks are ten minutes apart move money by the database's clock`() async throws {
      try await withTwo(clock: setClock(by: 10)) { one, other, _ in
        let receiver = try wallet(2).address
        // By the clock of the server that is asked, authorization and claim have expired.
        let (claimed, kept) = (try ServedClaim(other, lasting: 360), try ServedClaim(other, lasting: 360))
        try await claimed.lock(by: wallet(1))
        try await kept.lock(by: wallet(1))
        let receipt = try await claimed.take(to: receiver)
        #expect(receipt.status == 200 && receipt.member("status") == "claimed", "\(receipt)")
        #expect(try await claimed.take(to: receiver, at: one).receipt == receipt.receipt)
        for server in [one, other] {
          let refund = try await server.ask("POST", kept.path + "/refund")
          #expect(refund.status == 409 && refund.member("type") == "/problems/not-expired", "\(refund)")
          #expect(try await server.ask("GET", kept.path).member("status") == "pending")
        }
      }
    }

    @Test func `a stream of events at one server tells what another one does`() async throws {
      try await withTwo { one, other, _ in
        let claim = try ServedClaim(one)
        try await claim.lock(by: wallet(1))
        try await Wire.open(other.port) { wire in
          try await wire.send("GET \(claim.path)/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
          try await wire.text("event: pending\ndata: {")
          #expect(try await claim.take(to: wallet(2).address).status == 200)
          #expect(try await wire.text("event: claimed\ndata: {").text.contains("event: claimed"))
        }
      }
    }

    /// A draft of somebody elsewhere, paid with a challenge.
    private func draft(at server: ServedVault, _ solved: SolvedChallenge) async throws -> Reply {
      let claim = try ServedClaim(server)
      let request = DraftRequest(
        .init(claimID: claim.id, secretHash: claim.terms.secretHash), token: claim.terms.token,
        amount: claim.terms.amount, expiry: claim.terms.expiry, solution: solved)
      return try await server.ask("POST", "/api/claims", request.json, Self.away)
    }

    private func solved(at server: ServedVault) async throws -> SolvedChallenge {
      let body = try await server.ask("GET", "/api/challenge", nil, Self.away).body
      return try #require(try await Challenge(Array(body.utf8)).solved())
    }

    private static let away = "X-Forwarded-For: 192.0.2.1\r\n"

    @Test func `a challenge that one server has taken is used at the other`() async throws {
      try await withTwo(["--proxy", "127.0.0.1"]) { one, other, _ in
        let solved = try await solved(at: one)
        #expect(try await draft(at: other, solved).status == 201)
        for server in [one, other] {
          let reply = try await draft(at: server, solved)
          #expect(reply.status == 403 && reply.member("type") == "/problems/bad-challenge", "\(reply)")
        }
      }
    }

    @Test
    func `a server whose clock is ten minutes ahead judges challenges and signed requests by the database's clock`()
      async throws
    {
      try await withTwo(["--proxy", "127.0.0.1"], clock: setClock(by: 10)) { one, ahead, _ in
        for (maker, taker) in [(one, ahead), (ahead, one)] {
          #expect(try await draft(at: taker, solved(at: maker)).status == 201)
        }
        let owner = try wallet(1)
        for (seconds, status) in [(60, 200), (-1, 401), (1000, 401)] as [(Int64, Int)] {
          let request = AccountRequest(
            account: owner.address, validBefore: Int64(Date().timeIntervalSince1970) + seconds,
            domain: ahead.vault.domain)
          let header = "Authorization: \(request.authorization(by: owner))\r\n"
          for server in [one, ahead] {
            let reply = try await server.ask("GET", "/api/accounts/\(owner.address)", nil, header)
            #expect(reply.status == status, "\(seconds): \(reply)")
          }
        }
      }
    }

    @Test func `an address has one limit at two servers`() async throws {
      try await withTwo(["--proxy", "127.0.0.1", "--requests-per-minute", "60"]) { one, other, _ in
        let begin = ContinuousClock.now
        var answered = 0
        for number in 0..<200 {
          let server = number.isMultiple(of: 2) ? one : other
          let reply = try await server.ask("GET", "/api/challenge", nil, "X-Forwarded-For: 192.0.2.1\r\n")
          if reply.status == 200 { answered += 1 } else { #expect(reply.status == 429, "\(reply)") }
        }
        // One a second leaks out meanwhile.
        let leaked = Int((ContinuousClock.now - begin).components.seconds) + 2
        #expect(answered >= 60 && answered <= 60 + leaked)
      }
    }

    @Test func `a secret that was sent is nowhere in the database and its WAL`() async throws {
      try await withTwo { one, other, cluster in
        let claim = try ServedClaim(one)
        try await claim.lock(by: wallet(1))
        let payout = PayoutRequest(receiver: try wallet(2).address, .secret(claim.secret, of: claim.id)).json
        #expect(try await other.ask("POST", claim.path + "/claim", payout).status == 200)
        let forms = spellings(of: claim.secret.exposed)
        // That what is looked for would be found: the claim's id is there.
        var hasID = false
        let files = try #require(FileManager.default.enumerator(atPath: cluster.dataDirectory)).allObjects
        for case let name as String in files {
          guard let data = try? Data(contentsOf: URL(filePath: "\(cluster.dataDirectory)/\(name)")) else { continue }
          hasID = hasID || data.holds(Array(claim.id.description.utf8))
          for form in forms { #expect(!data.holds(form), "\(name)") }
        }
        #expect(hasID)
      }
    }
  }
#endif
