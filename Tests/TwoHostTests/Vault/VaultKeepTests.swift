#if Vault
  import FoundationEssentials
  import Glibc
  import Lab
  import Testing

  /// `bump receive --keep` with a vault.
  @Suite(.live, .serialized) struct VaultKeepTests {
    @Test
    func
      `each claim is claimed as it comes, and one without money or a vault that is away keeps none of the others out`()
      async throws
    {
      try await VaultScene.with(.server) { scene in
        let receiving = try await scene.bob.start("receive", "--keep", "--claim", "--json", "--vault", VaultHost.url)
        try await receiving.event("browsing")
        let first = try await sent(scene.send())
        #expect(try await funding(of: first, receiving).string("funding") == "claimed")

        let unknown = try await sent(scene.alice.start("send", "1.00", "--json"))
        let unfunded = try await funding(of: unknown, receiving)
        #expect(unfunded.string("funding") == "notClaimed", "\(unfunded)")
        #expect(unfunded.string("error")?.contains("is not funded: ") == true, "\(unfunded)")

        // Its money is locked, and then the vault goes away before the claim is handed over.
        let decided = try await scene.alice.host.spawn(
          [
            BumpCommand.binary, "send", "1.00", "--vault", VaultHost.url, "--json", "--decide", "--discovery",
            Backend.current.rawValue, "--discovery-timeout", "60",
          ], environment: scene.alice.environment)
        try await decided.event("question")
        try await scene.vault.end(SIGTERM)
        decided.type("y 1\n")
        decided.closeInput()
        let unpaid = try await sent(decided)
        let meanwhile = try await sent(scene.alice.start("send", "1.00", "--json"))
        let missed = try await funding(of: unpaid, receiving)
        #expect(missed.string("funding") == "notClaimed", "\(missed)")
        try await scene.vault.start()
        let last = try await sent(scene.send())
        #expect(try await funding(of: last, receiving).string("funding") == "claimed")

        receiving.signal(SIGINT)
        let received = try await receiving.finish()
        #expect(try received.status == 0 && received.result.number("received") == 5, "\(received)")
        // Asking a vault that is away takes seven seconds. A claim that came in that time was received in it.
        let moments = try ["received", "funding"].map { event in
          try received.events.filter { $0.string("event") == event }
        }
        func moment(_ event: Int, of id: String) -> Double? {
          moments[event].first { $0.string("claimId") == id }?.number("ms")
        }
        let (began, came, told) = (
          try #require(moment(0, of: unpaid)), try #require(moment(0, of: meanwhile)),
          try #require(moment(1, of: unpaid))
        )
        #expect(came < told || came - began > 5000, "\(received)")

        #expect(try await scene.claim(unpaid).status == 0)
        try await scene.expectBalances("0.00 USDC", "3.00 USDC")
      }
    }

    /// A host that sends claims faster than a vault may be asked about them: ten of them at once, and then one in three
    /// seconds.
    @Test func `a flood of claims without money from one host keeps no claim of another host from being paid`()
      async throws
    {
      try await VaultScene.with(.server) { scene in
        let receiving = try await scene.bob.start("receive", "--keep", "--claim", "--json", "--vault", VaultHost.url)
        try await receiving.event("browsing")
        try await scene.switchHost.start(.needed)
        let mallory = try BumpCommand("mallory", on: scene.switchHost)
        try await withThrowingTaskGroup { group in
          for number in 0..<Self.floods {
            group.addTask { try await flood(number, by: mallory) }
          }
          try await group.waitForAll()
        }
        let honest = try await sent(scene.send())
        let paid = try await funding(of: honest, receiving)
        #expect(paid.string("funding") == "claimed", "\(paid)")

        receiving.signal(SIGINT)
        let received = try await receiving.finish()
        let junk = Self.floods * Self.claims
        #expect(try received.status == 0 && received.result.number("received") == Double(junk + 1), "\(received)")
        let told = try received.events.filter { $0.string("event") == "funding" && $0.string("claimId") != honest }
        #expect(told.count == junk && told.allSatisfy { $0.string("funding") == "notClaimed" }, "\(received)")
        // These came before the honest claim.
        let waiting = told.filter { $0.string("error")?.contains("receiving ended before it was asked") == true }
        #expect(!waiting.isEmpty, "\(received)")
        try await scene.expectBalances("2.00 USDC", "1.00 USDC")
      }
    }

    /// How many senders the host has that floods.
    private static let floods = 4
    /// How many claims each of them sends.
    private static let claims = 12

    private func flood(_ number: Int, by mallory: BumpCommand) async throws {
      let arguments = ["send", String(Self.claims), "/run/home/mallory/\(number).sqlite", Backend.current.rawValue]
      let sent = try await mallory.host.run(
        [BumpCommand.program("BumpsInARow")] + arguments, environment: mallory.environment,
        within: .seconds(6 * Self.floods * Self.claims) + .hang)
      #expect(sent.status == 0, "\(sent)")
    }

    /// The claim of a send that delivers it.
    private func sent(_ sending: RunningProcess) async throws -> String {
      let sent = try await sending.finish()
      #expect(sent.status == 0, "\(sent)")
      return try #require(try sent.result.string("claimId"))
    }

    /// What the receiver says of the money of a claim.
    private func funding(of id: String, _ receiving: RunningProcess) async throws -> JSONObject {
      try JSONObject(try await receiving.line { $0.contains(#""event":"funding""#) && $0.contains("\"\(id)\"") })
    }
  }
#endif
