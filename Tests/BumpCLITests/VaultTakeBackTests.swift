import BumpClaims
import BumpKit
import BumpVault
import BumpVaultAPI
import BumpVaultClient
import BumpWallet
import Lab
import Synchronization
import Testing
import VaultContract
import VaultTestServer

/// `bump refund` before the claim's expiry.
@Suite(.processes(2)) struct VaultTakeBackTests {
  private let testbed: VaultTestbed
  private let sender: Address
  private var alice: Person { testbed.alice }
  private var bob: Person { testbed.bob }
  private var server: LocalVaultServer { testbed.server }

  init() async throws {
    testbed = try await VaultTestbed()
    sender = try await testbed.open(testbed.alice, "3.00")
  }

  /// The id of a claim of alice's whose money is locked, and which nobody can have: no receiver came, and no link was shown.
  private func lockedClaim() async throws -> String {
    let sent = try await alice.run(
      "send", "1.00", "--vault", server.url, "--discovery", "none", "--discovery-timeout", "0.1", "--qr", "never")
    try #require(sent.status == 3, "\(sent)")
    let claim = try #require(try await alice.history().first)
    try #require(claim.string("state") == "new" && claim.string("money") == "pending", "\(claim)")
    return try #require(claim.string("claimId"))
  }

  /// What alice's store has of a claim, without a look at its vault.
  private func shown(_ id: String) async throws -> JSONObject {
    try #require(try await alice.run("show", id, "--json").events.first)
  }

  /// The requests for a payout, each once.
  private var payouts: Set<String> { Set(server.requests.filter { $0.contains("/claim {") }) }

  private func expectUntouched(_ id: String) async throws {
    #expect(payouts.isEmpty)
    let claim = try await shown(id)
    #expect(claim.string("state") == "linkShown" && claim.string("money") == "pending", "\(claim)")
    #expect(try await alice.run("link", id).status == 0)
  }

  // MARK: Questions

  @Test func `the money of a claim that nobody can have is taken back unasked, once, and the claim has no link then`()
    async throws
  {
    let id = try await lockedClaim()
    let back = try await alice.run("refund", id, "--json")
    #expect(try back.status == 0 && back.result.string("outcome") == "takenBack", "\(back)")
    #expect(try back.result.string("receiver") == "\(sender)" && back.result.number("time") != nil, "\(back)")
    #expect(try await testbed.balance(alice) == "3.00 USDC\n")
    let again = try await alice.run("refund", id)
    #expect(again.status == 0 && again.standardOutput.hasPrefix("Already taken back: 1.00 USDC of claim \(id)"))
    let link = try await alice.run("link", id)
    #expect(link.status == 1 && link.standardOutput.isEmpty, "\(link)")
    #expect(link.error == "the money of claim \(id) was taken back. See: bump show \(id)")
    #expect(try await shown(id).string("money") == "takenBack")
    #expect(try await alice.run("show", id).lines.contains("money    taken back"))
    #expect(try await alice.run("history").standardOutput.hasSuffix("  taken back  \(id.prefix(8))\n"))
    #expect(payouts.count == 1)
  }

  @Test func `where nobody can be asked the money of a claim that somebody may have is left, unless --yes says so`()
    async throws
  {
    let (_, id) = try await testbed.lockedLink()
    let refused = try await alice.run("refund", id)
    #expect(refused.status == 1 && refused.standardOutput.isEmpty, "\(refused)")
    #expect(
      refused.error
        == "claim \(id) has not expired, and somebody may have it or its link. To take its money back all the same: "
        + "bump refund \(id) --yes")
    try await expectUntouched(id)
    let back = try await alice.run("refund", id, "--yes")
    #expect(back.status == 0 && back.standardOutput.hasPrefix("Taken back: 1.00 USDC of claim \(id)"), "\(back)")
    #expect(try await testbed.balance(alice) == "3.00 USDC\n")
  }

  /// A refund on a terminal, whose question is on the screen.
  private func asked(_ id: String) async throws -> RunningProcess {
    let refunding = try await RunningProcess.start(
      [BumpCommand.binary, "refund", id], environment: alice.environment, streams: .terminalButOutput)
    try await refunding.text("Take the 1.00 USDC back? [y/n] ", on: .error)
    return refunding
  }

  @Test(arguments: ["n\n", "\u{4}"])
  func `a person who does not say yes leaves the money where it is`(answer: String) async throws {
    let (_, id) = try await testbed.lockedLink()
    let refunding = try await asked(id)
    refunding.type(answer)
    let refused = try await refunding.finish()
    #expect(refused.status == 4 && refused.standardOutput.isEmpty, "\(refused)")
    #expect(refused.standardError.contains("the money of claim \(id) was not taken back"), "\(refused)")
    try await expectUntouched(id)
  }

  /// Has a claim of alice's be delivered to bob, by her word.
  private func deliver(_ id: String) async throws {
    let store = try await ClaimStore.open(at: alice.store)
    let now = ClockReading.now()
    // So long ago that no receiver may take it any more.
    let then = ClockReading(unix: now.unix - 3600, sinceBoot: now.sinceBoot - 3600, bootID: now.bootID)
    let released = try await store.release(
      ClaimID(id), to: DisplayName("bob"), answerWithin: .seconds(60), at: { then })
    #expect(released == .released(until: then.unix + 65))
    _ = try await store.settle(ClaimID(id), as: .delivered)
  }

  @Test func `a person who says yes has the money back, and was told who may have the claim`() async throws {
    let id = try await lockedClaim()
    try await deliver(id)
    let refunding = try await asked(id)
    // The terminal's lines are broken between words.
    let said = refunding.standardError.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(said.contains(#"Claim \#(id) has not expired, and "bob" may have it or its link."#), "\(said)")
    #expect(said.contains("Whoever claims it first gets the 1.00 USDC."), "\(said)")
    refunding.type("y\n")
    let back = try await refunding.finish()
    #expect(back.status == 0 && back.standardOutput.hasPrefix("Taken back: 1.00 USDC of claim \(id)"), "\(back)")
    #expect(try await testbed.balance(alice) == "3.00 USDC\n")
    #expect(try await shown(id).string("state") == "delivered")
  }

  @Test func `while a receiver may still take the claim its money is not taken back, with --yes either`() async throws {
    let id = try await lockedClaim()
    let store = try await ClaimStore.open(at: alice.store)
    _ = try await store.release(ClaimID(id), to: DisplayName("bob"), answerWithin: .seconds(600))
    let refused = try await alice.run("refund", id, "--yes")
    #expect(refused.status == 1 && refused.standardOutput.isEmpty, "\(refused)")
    #expect(refused.error?.contains(#"was sent to "bob", who may still take it for "#) == true, "\(refused)")
    #expect(refused.error?.hasSuffix(" s. Try again then: bump refund \(id)") == true, "\(refused)")
    #expect(payouts.isEmpty)
    #expect(try await shown(id).string("money") == "pending")
  }

  // MARK: Doubt

  @Test func `while no answer says that the money was taken back the claim is not handed over, and the next try tells`()
    async throws
  {
    let id = try await lockedClaim()
    for _ in 0..<8 { server.loseAnswer(to: "/claim") }
    let lost = try await alice.run("refund", id, "--json")
    #expect(try lost.status == 5 && lost.result.string("outcome") == "failed", "\(lost)")
    #expect(lost.standardError.contains("the vault may have paid the money of claim \(id) back: "), "\(lost)")
    let claim = try await shown(id)
    #expect(claim.string("money") == "takingBack" && claim.string("state") == "linkShown", "\(claim)")
    #expect(try await alice.run("show", id).lines.contains("refund   bump refund \(id)"))

    let words = "the money of claim \(id) is being taken back. See: bump show \(id)"
    let count = server.requests.count
    for command in [["link", id], ["send", "--again", id, "--discovery", "none", "--discovery-timeout", "0.1"]] {
      let refused = try await alice.run(command)
      #expect(refused.status == 1 && refused.standardOutput.isEmpty && refused.error == words, "\(refused)")
    }
    #expect(server.requests.count == count, "its vault is not asked")

    let back = try await alice.run("refund", id)
    #expect(back.status == 0 && back.standardOutput.hasPrefix("Taken back: 1.00 USDC of claim \(id)"), "\(back)")
    #expect(payouts.count == 1, "it was asked for with one proof")
    #expect(try await testbed.balance(alice) == "3.00 USDC\n")
  }

  @Test func `a claim whose refund was killed is listed with the next command, also behind newer ones`() async throws {
    let id = try await lockedClaim()
    // As a refund left it that was killed before it asked its vault.
    let store = try await ClaimStore.open(at: alice.store)
    let claim = try #require(try await store.outgoing(ClaimID(id)))
    var funding = try #require(try await store.funding(of: claim.claim, .outgoing))
    funding.status = .takingBack
    #expect(
      try await store.beginTakingBack(claim.claim.id, as: funding, evenIfHandedOver: false) == .begun(funding))
    _ = try await alice.link()
    let history = try await alice.run("history", "--limit", "1")
    #expect(history.lines.last?.hasSuffix("  taking back: bump refund \(id.prefix(8))") == true, "\(history)")
    #expect(try await alice.run("link", id).status == 1)
    // No other claim can be meant.
    let back = try await alice.run("refund")
    #expect(back.status == 0 && back.standardOutput.hasPrefix("Taken back: 1.00 USDC of claim \(id)"), "\(back)")
  }

  @Test func `without TLS a refusal leaves it open whether the money is taken back, and the vault is asked again`()
    async throws
  {
    let id = try await lockedClaim()
    // An address that a client does not take for its own machine, as plain HTTP to another one would be.
    let remote = "http://[::ffff:127.0.0.1]:\(server.port)"
    try await testbed.move(to: remote, alice)
    server.forgeAnswer(to: "/claim", Problem(.wrongSecret, "no"))
    let doubtful = try await alice.run("refund", id)
    #expect(doubtful.status == 5 && doubtful.standardOutput.isEmpty, "\(doubtful)")
    #expect(try await shown(id).string("money") == "takingBack")
    let back = try await alice.run("refund", id)
    #expect(back.status == 0 && back.standardOutput.hasPrefix("Taken back: "), "\(back)")
    #expect(try await testbed.balance(alice, at: remote) == "3.00 USDC\n")
  }

  // MARK: Others

  @Test func `a receiver that comes after the sender reads that somebody else has claimed`() async throws {
    let (link, id) = try await testbed.lockedLink()
    try await testbed.open(bob)
    #expect(try await bob.take(link, "--vault", server.url).status == 0)
    #expect(try await alice.run("refund", id, "--yes").status == 0)
    let claimed = try await bob.run("claim", id)
    #expect(
      claimed.status == 1 && claimed.error?.contains("was claimed by somebody else at 20") == true
        && claimed.error?.contains("to \(sender).") == true, "\(claimed)")
    #expect(try await bob.run("history").standardOutput.contains("  claimed by somebody else  "))
    #expect(try await testbed.balance(bob) == "0.00 USDC\n")
  }

  @Test func `where a receiver is quicker it has the money, and the sender reads that`() async throws {
    let (_, id) = try await testbed.lockedLink()
    let store = try await ClaimStore.open(at: alice.store)
    let claim = try #require(try await store.outgoing(ClaimID(id)))
    let carol = try VaultContract.Person(3)
    var theirs = try testbed.desk.scene.claim(7)
    theirs.id = claim.claim.id
    theirs.key = ClaimKey(secret: claim.claim.secret, claimID: claim.claim.id)
    theirs.terms = try ClaimTerms(claim.claim, expiry: claim.expiry, at: testbed.desk.vault)
    server.before { [theirs, scene = testbed.desk.scene] request in
      guard request.contains("/claim {") else { return }
      _ = try? await scene.take(theirs, for: carol)
    }
    let late = try await alice.run("refund", id, "--yes")
    #expect(late.status == 1 && late.error?.contains("was claimed to \(carol.address) at 20") == true, "\(late)")
    #expect(try await shown(id).string("money") == "claimed")
    #expect(try await testbed.desk.scene.balance(carol) == 1_000_000)
    #expect(try await testbed.balance(alice) == "2.00 USDC\n")
  }

  @Test func `a bump that offers a claim does not hand it over once its money is taken back`() async throws {
    let id = try await lockedClaim()
    let sending = try await RunningProcess.start(
      [BumpCommand.binary, "send", "--again", id, "--discovery", "none", "--json", "--decide"],
      environment: alice.environment)
    let port = try await sending.event("advertising").number("port").map { UInt16($0) } ?? 0
    let receiving = try await RunningProcess.start(
      [BumpCommand.binary] + BumpCommand.patient(["receive", "--peer", "127.0.0.1:\(port)", "--json"]),
      environment: bob.environment)
    receiving.closeInput()
    try await sending.event("question")
    #expect(try await alice.run("refund", id).status == 0)
    sending.type("y 1\n")
    let (sent, received) = (try await sending.finish(), try await receiving.finish())
    #expect(sent.status == 1, "\(sent)")
    #expect(
      sent.standardError.contains("nothing was sent here: the money of claim \(id) is being taken back by another"),
      "\(sent)")
    #expect(received.status == 3, "\(received)")
    #expect(try await bob.history().isEmpty)
  }

  @Test func `a send that waits for its claim to be claimed tells that the money was taken back`() async throws {
    let sending = try await RunningProcess.start(
      [BumpCommand.binary, "send", "1.00", "--vault", server.url, "--json", "--until-claimed", "--link-only"],
      environment: alice.environment)
    sending.closeInput()
    try await sending.event("fallback")
    let id = try #require(try await alice.history().first?.string("claimId"))
    #expect(try await alice.run("refund", id, "--yes").status == 0)
    let sent = try await sending.finish()
    #expect(try sent.events.suffix(3).map { $0.string("event") } == ["fallback", "takenBack", "result"], "\(sent)")
  }

  @Test func `a claim whose money was taken back is not reminded of, and settle says where the money is`() async throws
  {
    let (_, id) = try await testbed.lockedLink()
    #expect(try await alice.run("refund", id, "--yes").status == 0)
    let next = try await alice.run("send", "1.00", "--discovery", "none", "--discovery-timeout", "0.1")
    #expect(!next.standardError.contains("A link of "), "\(next)")
    let settling = try await RunningProcess.start(
      [BumpCommand.binary, "settle", id], environment: alice.environment, streams: .terminalButOutput)
    try await settling.text("This 1.00 USDC was taken back. Settle it as delivered? [y/n] ", on: .error)
    settling.type("n\n")
    #expect(try await settling.finish().status == 1)
  }
}
