#if Vault
  import FoundationEssentials
  import Glibc
  import Lab
  import Testing

  /// The whole life of a claim between two hosts, whose money a vault on a third one holds.
  @Suite(.live, .serialized) struct VaultFlowTests {
    @Test(arguments: [VaultScene.Mode.code, .key])
    func `a claim is locked, bumped, claimed and paid once, and both sides have the receipt`(
      mode: VaultScene.Mode
    ) async throws {
      try await VaultScene.with(.server) { scene in
        if mode == .key { try await shareKey(scene.alice, scene.bob) }
        let own = [VaultScene.Mode.code: ["--code"], .key: ["--key", "/run/key"]][mode] ?? []
        let sending = try await scene.send(["--until-claimed"] + own)
        let locked = try await sending.event("locked")
        #expect(locked.string("vault") == VaultHost.url && locked.string("txHash")?.hasPrefix("0x") == true)
        // With the code the receiver asks whether it is funded, and claims it then; with the key it claims at once.
        let isAtOnce = mode == .key
        let received = try await scene.received(
          mode, from: sending, ["--vault", VaultHost.url] + (isAtOnce ? ["--claim"] : []))
        #expect(
          try received.status == 0 && received.result.string("funding") == (isAtOnce ? "claimed" : "funded"),
          "\(received)")
        if !isAtOnce { try await scene.expectBalances("2.00 USDC", "0.00 USDC") }
        let id = try #require(try received.result.string("claimId"))

        let claimed = try await scene.claim(id)
        #expect(claimed.status == (isAtOnce ? 8 : 0), "\(claimed)")
        let (result, transaction) = (try claimed.result, try claimed.result.string("txHash"))
        #expect(
          result.string("outcome") == (isAtOnce ? "alreadyPaid" : "claimed") && result.string("amount") == "1.00",
          "\(claimed)")
        let told = try await sending.event("claimed")
        #expect(told.string("txHash") == transaction && told.string("receiver") == result.string("receiver"))
        let sent = try await sending.finish()
        #expect(try sent.status == 0 && sent.result.string("outcome") == "delivered", "\(sent)")

        // The same again: the same receipt, and no other payment.
        let again = try await scene.claim(id)
        #expect(try again.status == 8 && again.result.string("txHash") == transaction, "\(again)")
        try await scene.expectBalances("2.00 USDC", "1.00 USDC")
        for person in [scene.alice, scene.bob] {
          let claim = try await person.newest()
          #expect(claim.string("money") == "claimed" && claim.string("txHash") == transaction, "\(claim)")
        }
        for person in [scene.alice, scene.bob] {
          let shown = try #require(try await person.run("show", id, "--json").events.first)
          #expect(shown.string("receipt")?.contains(try #require(transaction)) == true, "\(shown)")
        }
        #expect(try await movements(scene.alice) == ["deposit", "mint"])
        #expect(try await movements(scene.bob) == ["claim"])
      }
    }

    @Test func `the link of a claim at a vault names it, and needs no --vault to be called funded, and to be claimed`()
      async throws
    {
      try await VaultScene.with(.server) { scene in
        let sent = try await scene.alice.run("send", "1.00", "--vault", VaultHost.url, "--link-only")
        let link = try #require(sent.lines.last) + "\n"
        #expect(link.hasPrefix("\(VaultHost.url)/claim/"), "\(link)")
        let id = try #require(try await scene.alice.newest().string("claimId"))
        #expect(try await scene.alice.run("link", id).standardOutput.hasSuffix(link))
        let received = try await scene.bob.run("receive", "--link", "-", "--json", input: link)
        #expect(try received.result.string("funding") == "funded", "\(received)")
        try await scene.expectBalances("2.00 USDC", "0.00 USDC")
        for (status, said) in [(0, "Claimed"), (8, "Already paid:")] as [(Int32, String)] {
          let claimed = try await scene.bob.run("claim", "-", input: link)
          #expect(
            claimed.status == status && claimed.standardError.contains("\(said) 1.00 USDC to 0x"), "\(claimed)")
          try await scene.expectBalances("2.00 USDC", "1.00 USDC")
        }
      }
    }

    private func movements(_ person: BumpCommand) async throws -> [String?] {
      let listed = try await person.run("wallet", "history", "--vault", VaultHost.url, "--json")
      return try listed.events.map { $0.string("kind") }
    }

    @Test func `a vault that is unreachable locks nothing, which is said, and nothing is advertised`() async throws {
      try await VaultScene.with(.server) { scene in
        try await scene.vault.end(SIGKILL)
        let browsing = try await scene.bob.start("browse", "--json")
        try await browsing.event("browsing")
        let sent = try await scene.send().finish()
        #expect(sent.status == 1, "\(sent)")
        #expect(try sent.result.string("error")?.contains(" was not sent. Nothing is locked for it: ") == true)
        #expect(try !sent.events.contains { $0.string("event") == "advertising" }, "\(sent)")
        let claim = try await scene.alice.newest()
        #expect(claim.string("state") == "new" && claim.string("money") == "refused", "\(claim)")

        // The same claim once the vault is there again: it is the first that anybody can find.
        try await scene.vault.start()
        let id = try #require(claim.string("claimId"))
        let sending = try await scene.alice.start("send", "--again", id, "--vault", VaultHost.url, "--json")
        let name = try await sending.event("advertising").string("name")
        #expect(try await browsing.event("found").string("name") == name)
        browsing.signal(SIGINT)
        #expect(try await browsing.finish().status == 0)
        #expect(try await scene.receive(from: sending) == id)
        #expect(try await sending.finish().status == 0)
        #expect(try await scene.claim(id).status == 0)
        try await scene.expectBalances("2.00 USDC", "1.00 USDC")
      }
    }

    @Test func `where the vault dies after the deposit the bump goes on, and the receiver claims later`() async throws {
      try await VaultScene.with(.server) { scene in
        let sending = try await scene.send(["--until-claimed"])
        try await sending.event("locked")
        try await scene.vault.end(SIGKILL)
        let received = try await scene.received(from: sending, ["--vault", VaultHost.url, "--claim"])
        #expect(try received.status == 1 && received.result.string("funding") == "notClaimed", "\(received)")
        let id = try #require(try received.result.string("claimId"))
        #expect(try await scene.bob.newest().string("claimId") == id)

        try await scene.vault.start()
        let claimed = try await scene.claim(id)
        #expect(claimed.status == 0, "\(claimed)")
        // Who waits is told, although the stream of events had ended.
        let told = try await sending.event("claimed")
        #expect(told.string("txHash") == (try claimed.result.string("txHash")))
        #expect(try await sending.finish().status == 0)
        try await scene.expectBalances("2.00 USDC", "1.00 USDC")
      }
    }

    @Test func `a copy of the vault is another, which is refused, and the claim is paid by the one that was confirmed`()
      async throws
    {
      try await VaultScene.with(.server) { scene in
        let sending = try await scene.send()
        let id = try await scene.receive(from: sending)
        #expect(try await sending.finish().status == 0)
        try await scene.vault.end(SIGTERM)
        try await scene.vault.host.shell("cd \(VaultHost.folder) && cp \(VaultHost.store) copy.sqlite")
        try await scene.vault.start(["--copied"], name: "copy.sqlite")

        let remedy = "confirm it with: bump wallet trust \(VaultHost.url)"
        for refused in [
          try await scene.send().finish(), try await scene.claim(id),
          try await scene.bob.run("wallet", "balance", "--vault", VaultHost.url, "--json"),
        ] {
          #expect(refused.status == 1, "\(refused)")
          let said = refused.standardOutput + refused.standardError
          #expect(said.contains("the vault is not the one that was confirmed") && said.contains(remedy), "\(refused)")
          #expect(!said.contains("\"advertising\""), "\(refused)")
        }
        // Signed for the first vault alone, and asked of none.
        try await scene.vault.end(SIGTERM)
        try await scene.vault.start()
        #expect(try await scene.claim(id).status == 0)
        try await scene.expectBalances("2.00 USDC", "1.00 USDC")
      }
    }
  }
#endif
