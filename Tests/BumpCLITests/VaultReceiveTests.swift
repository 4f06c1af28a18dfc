import BumpClaims
import BumpKit
import Foundation
import Lab
import Testing
import VaultContract
import VaultTestServer

/// What `bump receive` says of the money behind a claim, and does about it.
@Suite(.processes(2)) struct VaultReceiveTests {
  private let testbed: VaultTestbed
  private var alice: Person { testbed.alice }
  private var bob: Person { testbed.bob }

  init() async throws { testbed = try await .withFundedSender() }

  private func take(_ link: String, _ arguments: String...) async throws -> ProcessResult {
    try await bob.run(["receive", "--link", "-", "--vault", testbed.server.url] + arguments, input: link + "\n")
  }

  @Test func `a claim whose money the vault holds is called funded, by the vault's word, and is no money yet`()
    async throws
  {
    try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    let received = try await take(link)
    #expect(received.status == 0, "\(received)")
    #expect(
      received.standardError.contains(
        #/1\.00 USDC of claim \S+ are funded until 20\S+ \S+Z, says http\S+\. They are yours once you have claimed them: bump claim \S+\n/#
      ), "\(received)")
    #expect(received.standardOutput == "1.00 USDC from a link (\(id))\n")
    #expect(try await testbed.balance(bob) == "0.00 USDC\n")
    let line = try #require(try await bob.run("history").lines.first)
    #expect(line.hasSuffix("  funded: bump claim \(id.prefix(8))"), "\(line)")
    #expect(try await bob.run("show", id).standardOutput.contains("money    funded\nclaim it bump claim \(id)\n"))
    // The vault need not be named again.
    #expect(try await bob.run("claim", id).status == 0)
    #expect(try await testbed.balance(bob) == "1.00 USDC\n")
    // A payment of one's own is not called somebody else's.
    #expect(try await take(link).standardError.contains("was claimed before to your address 0x"))
  }

  @Test func `what became of a claim that was not claimed in time is asked for by history`() async throws {
    try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    _ = try await take(link)
    #expect(try await bob.history().first?.string("money") == "pending")
    // Its sender knows the secret too.
    let carol = try Person()
    let receiver = try await testbed.open(carol)
    let claimed = try await carol.run(["claim", "-", "--vault", testbed.server.url], input: link + "\n")
    #expect(claimed.status == 0, "\(claimed)")
    // The list is what the store knows, and what the vault says of it comes behind.
    let listed = try await bob.run("history")
    #expect(listed.lines.first?.hasSuffix("  funded: bump claim \(id.prefix(8))") == true, "\(listed)")
    #expect(listed.lines.last?.hasSuffix("  claimed by somebody else  \(id.prefix(8))") == true, "\(listed)")
    let shown = try await bob.run("show", id)
    #expect(
      shown.lines.contains("money    claimed by somebody else") && shown.lines.contains("paid to  \(receiver)"),
      "\(shown)")
  }

  @Test func `programs read whether it is funded behind stored and in the result`() async throws {
    try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    let received = try await take(link, "--json")
    #expect(try received.events.map { $0.string("event") } == ["stored", "funding", "result"], "\(received)")
    for event in try received.events.dropFirst() {
      #expect(event.string("funding") == "funded" && event.string("claimId") == id)
      #expect(event.string("vault") == testbed.server.url)
    }
    #expect(try received.result.string("outcome") == "received" && received.result.number("exit") == 0)
  }

  @Test func `a claim behind which there is nothing is not funded yet, and is received all the same`() async throws {
    try await testbed.open(bob)
    let link = try await alice.link()
    let received = try await take(link, "--quiet")
    let id = try #require(try await bob.history().first?.string("claimId"))
    #expect(received.status == 0, "\(received)")
    #expect(
      received.standardError
        == "Claim \(id) is not yet funded, says \(testbed.server.url). Ask its sender. Once it is: bump claim \(id)\n")
    #expect(try await bob.run("history").lines.first?.contains("  not funded  ") == true)
    #expect(try await take(link, "--json").result.string("funding") == "notFunded")
    #expect(try await bob.run("claim", id).status == 1)
  }

  /// Whoever makes a link may write any amount into it.
  @Test func `a link that promises more than the vault holds is not called funded`() async throws {
    try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    let claim = try UnverifiedClaimLink(link).verify()
    let greater = Claim(
      id: claim.claim.id, secret: claim.claim.secret, token: .usdc, amount: try Amount("9.00"))
    let received = try await take(try ClaimLink(claim: greater, expiry: claim.expiry).text, "--json")
    #expect(try received.result.string("funding") == "notFunded", "\(received)")
    #expect(try await bob.run("claim", id).status == 1)
  }

  @Test func `a claim that expires too soon is not accepted as funded, nor sent`() async throws {
    try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    let received = try await take(link, "--expiry-margin", "25h")
    #expect(
      received.standardError.contains("Claim \(id) is not accepted as funded, since it expires within 1500 minutes."),
      "\(received)")
    #expect(try await take(link, "--expiry-margin", "25h", "--json").result.string("funding") == "expiring")
    let quiet = try await take(link, "--expiry-margin", "25h", "--quiet")
    #expect(quiet.standardError.contains("Claim \(id) is not accepted as funded, since it expires"), "\(quiet)")
    let sent = try await testbed.send("--expires", "10m", "--expiry-margin", "15m")
    #expect(
      sent.status == 7 && sent.error?.contains("expires within 15 minutes: too little for its receiver") == true,
      "\(sent)")
    #expect(try await testbed.send("--expires", "4m").status == 7)
    #expect(try await testbed.send("--expires", "4m", "--expiry-margin", "0s").status == 0)
  }

  /// A claim without a vault could be handed over, and there would be no money behind it.
  @Test(arguments: [(7, ["--expires", "4m"]), (1, ["--token", "EURC"])] as [(Int32, [String])])
  func `a send whose money the vault cannot lock makes no claim`(status: Int32, arguments: [String]) async throws {
    let sent = try await alice.run(["send", "1.00", "--vault", testbed.server.url, "--link-only"] + arguments)
    #expect(sent.status == status && sent.standardOutput.isEmpty, "\(sent)")
    #expect(try await alice.history().isEmpty)
  }

  @Test func `a claim that expires soon is not handed over again, and the way to its money is named`() async throws {
    let (_, id) = try await testbed.lockedLink()
    for command in [["link", id], ["send", "--again", id]] {
      let refused = try await alice.run(command + ["--expiry-margin", "25h"])
      #expect(refused.status == 7, "\(refused)")
      #expect(refused.error?.hasSuffix("Then get its money back: bump refund \(id)") == true, "\(refused)")
    }
  }

  @Test func `the sender has its answer before the vault is asked`() async throws {
    try await testbed.open(bob)
    let sending = try await RunningProcess.start(
      [BumpCommand.binary, "send", "1.00", "--vault", testbed.server.url, "--discovery", "none", "--yes"],
      environment: alice.environment)
    sending.closeInput()
    let listening = try await sending.line(on: .error) { $0.contains("Listening on port ") }
    let port = try #require(listening.firstMatch(of: /Listening on port (\d+)/)).1
    // Whoever asked it now would keep the sender waiting beyond its time-out.
    testbed.server.hold()
    let receiving = try await RunningProcess.start(
      [BumpCommand.binary]
        + BumpCommand.patient(
          ["receive", "--peer", "127.0.0.1:\(port)", "--vault", testbed.server.url, "--yes", "--json"]),
      environment: bob.environment)
    receiving.closeInput()
    let sent = try await sending.finish()
    #expect(sent.status == 0, "\(sent)")
    testbed.server.letGo()
    let received = try await receiving.finish()
    #expect(try received.status == 0 && received.result.string("funding") == "funded", "\(received)")
  }

  /// By the vault's clock, which is the one that counts.
  @Test func `a claim that has expired at the vault is received and not paid, which ends with 7`() async throws {
    try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    testbed.desk.scene.clock.advance(by: 25 * 3600)
    let received = try await take(link, "--claim")
    #expect(received.status == 7 && received.standardOutput == "1.00 USDC from a link (\(id))\n", "\(received)")
    #expect(received.standardError.contains("bump: the vault says: \""), "\(received)")
    let again = try await take(link, "--claim", "--json")
    #expect(try again.status == 7 && again.result.number("exit") == 7, "\(again)")
    #expect(try again.result.string("funding") == "expired", "\(again)")
    #expect(try await bob.run("claim", id).status == 7)
    testbed.desk.scene.clock.advance(by: -25 * 3600)
    #expect(try await testbed.balance(bob) == "0.00 USDC\n")
  }

  @Test func `where the vault does not answer the claim is here, and it is said how to claim it later`() async throws {
    try await testbed.open(bob)
    let nobody = try await testbed.confirmNobody(for: bob)
    let (link, id) = try await testbed.lockedLink()
    let received = try await bob.take(link, "--vault", nobody)
    #expect(received.status == 0 && received.standardOutput.contains("(\(id))"), "\(received)")
    #expect(received.standardError.contains("It is not known whether claim \(id) is funded: no answer from the vault"))
    #expect(
      received.standardError.contains("The claim is kept here. Claim it later with: bump claim \(id) --vault \(nobody)")
    )
    #expect(try await bob.take(link, "--vault", nobody, "--json").result.string("funding") == "unknown")
    let claiming = try await bob.take(link, "--vault", nobody, "--claim")
    #expect(
      claiming.status == 1
        && claiming.standardError.contains("The claim is kept here. Claim it later with: bump claim \(id)"),
      "\(claiming)")
    #expect(try await bob.run("claim", id, "--vault", testbed.server.url).status == 0)
    #expect(try await testbed.balance(bob) == "1.00 USDC\n")
  }

  @Test func `with --claim the money is paid at once, and once, to one's own wallet or to an address`() async throws {
    let wallet = try await testbed.open(bob)
    let (link, _) = try await testbed.lockedLink()
    for (status, said) in [(0, "Claimed"), (8, "Already paid:")] as [(Int32, String)] {
      let received = try await take(link, "--claim")
      #expect(received.status == status, "\(received)")
      #expect(received.standardError.contains("\(said) 1.00 USDC to \(wallet) "), "\(received)")
      #expect(try await testbed.balance(bob) == "1.00 USDC\n")
    }
    #expect(try await bob.history().first?.string("money") == "claimed")
    let (other, _) = try await testbed.lockedLink()
    let carol = "0x00000000000000000000000000000000000000AA"
    let paid = try await take(other, "--claim", "--address", carol, "--json").result
    #expect(paid.string("funding") == "claimed" && paid.number("exit") == 0, "\(paid)")
    #expect(paid.string("receiver")?.lowercased() == carol.lowercased() && paid.string("txHash") != nil)
    #expect(try await testbed.balance(bob) == "1.00 USDC\n")
    try await testbed.desk.scene.expectSound(minted: 3_000_000)
  }

  @Test func `bump claim ends in the same outcome for a link as for an id`() async throws {
    let receiver = try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    let command = ["claim", "-", "--vault", testbed.server.url, "--json"]
    let paid = try await bob.run(command, input: link + "\n")
    #expect(try paid.events.map { $0.string("event") } == ["stored", "funding", "result"], "\(paid)")
    #expect(try paid.status == 0 && paid.result.string("outcome") == "claimed", "\(paid)")
    for finished in [try await bob.run(command, input: link + "\n"), try await bob.run("claim", id, "--json")] {
      let result = try finished.result
      #expect(finished.status == 8 && result.string("outcome") == "alreadyPaid", "\(finished)")
      #expect(result.string("claimId") == id && result.string("receiver") == "\(receiver)", "\(finished)")
      #expect(result.string("txHash") != nil && result.number("time") != nil, "\(finished)")
    }
  }

  @Test func `a claim that was claimed by somebody else is received and not paid, and is said to be taken`()
    async throws
  {
    try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    let carol = try Person()
    let receiver = try await testbed.open(carol)
    #expect(try await carol.take(link, "--vault", testbed.server.url, "--claim").status == 0)
    let asked = try await take(link)
    #expect(
      asked.status == 0
        && asked.standardError.contains(
          "was claimed before by somebody else, to \(receiver), says \(testbed.server.url)."),
      "\(asked)")
    let received = try await take(link, "--claim", "--json")
    #expect(try received.status == 1 && received.result.string("funding") == "notClaimed", "\(received)")
    #expect(
      try received.result.string("error")?.contains("claim \(id) was claimed by somebody else at 20") == true,
      "\(received)")
  }

  @Test func `a claim whose answer is lost is in doubt, which ends with 5, and is paid once when asked again`()
    async throws
  {
    try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    for _ in 0..<8 { testbed.server.loseAnswer(to: "/claim") }
    let received = try await take(link, "--claim", "--json")
    #expect(try received.status == 5 && received.result.string("funding") == "inDoubt", "\(received)")
    #expect(try await bob.history().first?.string("money") == "asked")
    // What it says now is not what it may have done.
    #expect(try await take(link).status == 0)
    #expect(try await bob.run("claim", id).status == 0)
    #expect(try await testbed.balance(bob) == "1.00 USDC\n")
  }

  @Test func `all that may be lacking is said before a claim comes from a sender nearby`() async throws {
    let peer = [
      "receive", "--claim", "--yes", "--peer", "127.0.0.1:\(try closedPort())", "--vault", testbed.server.url,
    ]
    #expect(try await bob.run(peer).error?.contains("`bump wallet new`") == true)
    let unnamed = try await bob.run("receive", "--claim", "--peer", "127.0.0.1:\(try closedPort())", "--yes")
    #expect(
      unnamed.status == 64 && unnamed.error == "--claim needs a vault. Name it with --vault, or in BUMP_VAULT",
      "\(unnamed)")
    #expect(try await bob.history().isEmpty)
  }

  @Test func `a word that is neither an id nor a link is refused, and not repeated where it may be one`() async throws {
    for word in ["no id!", "https://irl.app/claim/abc#s=garbled"] {
      let refused = try await bob.run("claim", word)
      #expect(refused.status == (word.contains("#") ? 6 : 64), "\(refused)")
      #expect(!refused.standardError.contains("garbled"), "\(refused)")
    }
    #expect(try await bob.run("claim").error?.hasPrefix("name a claim: `bump history` lists them") == true)
  }

  @Test func `without a vault nobody is asked about the claim, and with BUMP_VAULT that vault is`() async throws {
    try await testbed.open(bob)
    let sent = try await testbed.send("--link-base", "https://pay.example/cl")
    let link = try #require(sent.lines.last)
    let count = testbed.server.requests.count
    let received = try await bob.take(link)
    #expect(received.status == 0 && !received.standardError.contains("fund"), "\(received)")
    #expect(testbed.server.requests.count == count)
    #expect(try await bob.history().first?.string("money") == nil)
    let asked = try await bob.run(
      ["receive", "--link", "-", "--json"], input: link + "\n", changes: ["BUMP_VAULT": testbed.server.url])
    #expect(try asked.result.string("funding") == "funded", "\(asked)")
  }

  @Test func `a link at the vault's own base names the vault, which is asked where it is confirmed`() async throws {
    let (link, id) = try await testbed.lockedLink()
    #expect(link.hasPrefix("\(testbed.server.url)/claim/\(id)#"), "the page opens it")
    let count = testbed.server.requests.count
    let stranger = try await bob.take(link)
    #expect(stranger.status == 0 && testbed.server.requests.count == count, "\(stranger)")
    try await testbed.open(bob)
    let received = try await bob.take(link, "--json")
    #expect(try received.result.string("funding") == "funded", "\(received)")
    let shown = try await testbed.alice.run("link", id)
    #expect(shown.lines.last == link, "\(shown)")
  }
}
