#if Vault
  import FoundationEssentials
  import Glibc
  import Lab
  import Testing

  /// An answer of the vault that is lost, and the death of whoever waits for one. A proxy in front of the vault keeps answers
  /// back, so that each comes to pass at its very moment.
  @Suite(.live, .serialized) struct VaultDeathTests {
    @Test func `a deposit whose answer is lost hands nothing over, and the same claim is locked once`() async throws {
      try await VaultScene.with(.proxy) { scene in
        try await scene.vault.treat("deposit", .hold)
        let sending = try await scene.send()
        try await scene.vault.answered("deposit", 200)
        // The deposit stands, and the vault is gone before it can say so.
        try await scene.vault.end(SIGKILL)
        try await scene.vault.treat("deposit", .lose)
        let sent = try await sending.finish()
        #expect(sent.status == 5, "\(sent)")
        #expect(
          try sent.result.string("error")?.contains("was not sent. The vault may have locked ") == true, "\(sent)")
        #expect(try !sent.events.contains { $0.string("event") == "advertising" }, "\(sent)")
        let claim = try await scene.alice.newest()
        #expect(claim.string("state") == "new" && claim.string("money") == "asked", "\(claim)")

        try await scene.vault.treat("deposit", .pass)
        try await scene.vault.start()
        let id = try #require(claim.string("claimId"))
        // To get it back it is not locked now.
        let refunded = try await scene.alice.run("refund", id, "--json")
        #expect(
          try refunded.status == 5 && refunded.result.string("error")?.contains("Then: bump refund") == true,
          "\(refunded)")
        #expect(try await scene.alice.newest().string("money") == "asked")
        let again = try await scene.alice.start("send", "--again", id, "--json")
        #expect(try await scene.receive(from: again) == id)
        #expect(try await again.finish().status == 0)
        #expect(try await scene.claim(id).status == 0)
        try await scene.expectBalances("2.00 USDC", "1.00 USDC")
      }
    }

    @Test func `a claim whose answer is lost is in doubt, and the same command tells that it was paid once`()
      async throws
    {
      try await VaultScene.with(.proxy) { scene in
        let sending = try await scene.send()
        let id = try await scene.receive(from: sending)
        #expect(try await sending.finish().status == 0)
        try await scene.vault.treat("claim", .lose)
        let doubtful = try await scene.claim(id)
        #expect(try doubtful.status == 5 && doubtful.result.string("claimId") == id, "\(doubtful)")
        let error = try doubtful.result.string("error")
        #expect(error?.contains("the vault may have paid claim \(id) to 0x") == true, "\(doubtful)")
        #expect(try await scene.bob.newest().string("money") == "asked")
        // Its sender is told the truth meanwhile.
        #expect(try await scene.alice.newest().string("money") == "claimed")

        try await scene.vault.treat("claim", .pass)
        let claimed = try await scene.bob.run("claim", id, "--json")
        #expect(try claimed.status == 0 && claimed.result.string("outcome") == "claimed", "\(claimed)")
        #expect(try await scene.bob.newest().string("money") == "claimed")
        try await scene.expectBalances("2.00 USDC", "1.00 USDC")
      }
    }

    @Test func `a sender that is killed while its deposit is made hands over the same claim, locked once`() async throws
    {
      try await VaultScene.with(.proxy) { scene in
        try await scene.vault.treat("deposit", .hold)
        let killed = try await scene.send()
        try await scene.vault.answered("deposit", 200)
        killed.signal(SIGKILL)
        #expect(try await killed.finish().status == -SIGKILL)
        try await scene.vault.treat("deposit", .pass)

        let claim = try await scene.alice.newest()
        #expect(claim.string("state") == "new" && claim.string("money") == "asked", "\(claim)")
        let id = try #require(claim.string("claimId"))
        let sending = try await scene.alice.start("send", "--again", id, "--json")
        try await sending.event("locked")
        #expect(try await scene.receive(from: sending) == id)
        #expect(try await sending.finish().status == 0)
        #expect(try await scene.claim(id).status == 0)
        try await scene.expectBalances("2.00 USDC", "1.00 USDC")
      }
    }

    @Test
    func `a sender that is killed after its deposit has the claim, its link and, once it has expired, its refund`()
      async throws
    {
      try await VaultScene.with(.server) { scene in
        let killed = try await scene.send()
        try await killed.event("advertising")
        killed.signal(SIGKILL)
        #expect(try await killed.finish().status == -SIGKILL)

        let claim = try await scene.alice.newest()
        #expect(claim.string("state") == "new" && claim.string("money") == "pending", "\(claim)")
        let id = try #require(claim.string("claimId"))
        let link = try await scene.alice.run("link", id)
        let shown = try #require(link.lines.last { $0.hasPrefix("https://") }, "\(link)")
        let early = try await scene.alice.run("refund", id, "--json")
        #expect(early.status == 1, "\(early)")
        #expect(
          try early.result.string("error")?.contains("has not expired, and somebody may have it") == true, "\(early)")
        try await scene.expectBalances("2.00 USDC", "0.00 USDC")

        // A claim is taken for a day.
        let clock = try setClock(by: 25 * 60)
        try await scene.vault.end(SIGTERM)
        try await scene.vault.start(clock: clock)
        let alice = VaultScene.later(scene.alice, clock)
        let history = try await alice.run("history")
        #expect(history.standardOutput.contains("locked"), "\(history)")
        #expect(history.standardOutput.contains(": bump refund \(id.prefix(8))"), "\(history)")
        let refunded = try await alice.run("refund", id, "--json")
        #expect(try refunded.status == 0 && refunded.result.string("outcome") == "refunded", "\(refunded)")
        #expect(try await alice.newest().string("money") == "refunded")

        // Whoever has the link, and a clock that is late, gets nothing.
        let received = try await scene.bob.run("receive", "--link", "-", "--yes", input: shown + "\n")
        #expect(received.status == 0, "\(received)")
        let late = try await scene.claim(id)
        #expect(late.status == 7, "\(late)")
        let balances = (try await scene.balance(alice), try await scene.balance(VaultScene.later(scene.bob, clock)))
        #expect(balances == ("3.00 USDC", "0.00 USDC"))
      }
    }

    @Test func `a receiver that is killed before its claim, and while it is paid, has its claim and is paid once`()
      async throws
    {
      try await VaultScene.with(.proxy) { scene in
        let sending = try await scene.send(["--until-claimed"])
        // It goes on to the next claim where it would otherwise end.
        let receiving = try await scene.bob.start("receive", "--keep", "--json")
        // Its acknowledgement has arrived: without it the sender ends as unknown.
        try await sending.event("stored")
        receiving.signal(SIGKILL)
        #expect(try await receiving.finish().status == -SIGKILL)
        let id = try #require(try await scene.bob.newest().string("claimId"))

        try await scene.vault.treat("claim", .hold)
        let claiming = try await scene.bob.start("claim", id, "--vault", VaultHost.url, "--json")
        try await scene.vault.answered("claim", 200)
        claiming.signal(SIGKILL)
        #expect(try await claiming.finish().status == -SIGKILL)
        try await scene.vault.treat("claim", .pass)
        #expect(try await scene.bob.newest().string("money") == "asked")
        let told = try await sending.event("claimed")
        #expect(try await sending.finish().status == 0)

        let claimed = try await scene.bob.run("claim", id, "--json")
        #expect(claimed.status == 0, "\(claimed)")
        #expect(try claimed.result.string("txHash") == told.string("txHash"))
        try await scene.expectBalances("2.00 USDC", "1.00 USDC")
      }
    }
  }
#endif
