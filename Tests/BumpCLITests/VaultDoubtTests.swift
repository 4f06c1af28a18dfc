import BumpClaims
import BumpKit
import BumpVault
import BumpVaultAPI
import BumpVaultHTTP
import BumpWallet
import Lab
import Testing
import VaultContract
import VaultTestServer

/// Money of which it is not certain where it is, or which was paid before.
@Suite(.processes(2)) struct VaultDoubtTests {
  private let testbed: VaultTestbed
  private var alice: Person { testbed.alice }
  private var bob: Person { testbed.bob }

  init() async throws { testbed = try await .withFundedSender() }

  /// A claim of alice's that bob has received, and that may be paid to him: all answers were lost.
  private func doubtful() async throws -> String {
    try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    for _ in 0..<8 { testbed.server.loseAnswer(to: "/claim") }
    let received = try await bob.take(link, "--vault", testbed.server.url, "--claim")
    try #require(received.status == 5, "\(received)")
    return id
  }

  private func ledgerID(_ id: String, of person: Person) async throws -> String {
    let claim = try await person.history().first { $0.string("claimId") == id }
    return try #require(claim?.string("ledgerId"))
  }

  /// The state of a claim as somebody's vault shows it, with another status.
  private func forged(_ id: String, _ status: String) async throws -> JSONValue {
    let body = Answer.claim(try await testbed.desk.scene.vault.view(.claimID(ClaimID(id)))).body
    guard case .object(let members) = body else { return body }
    return .object(members.map { $0.name == "status" ? JSONValue.Member("status", .string(status)) : $0 })
  }

  // MARK: Not sent, not done

  @Test func `a deposit that was passed on and has nonsense for an answer is perhaps locked`() async throws {
    for _ in 0..<8 { testbed.server.forgeAnswer(to: "/deposit", bytes: Array("nonsense\r\n\r\n".utf8)) }
    let sent = try await testbed.send()
    #expect(sent.status == 5 && sent.standardError.contains("The vault may have locked 1.00 USDC for it: "), "\(sent)")
    #expect(try await alice.history().first?.string("money") == "asked")
    #expect(try await testbed.balance(alice) == "2.00 USDC\n")
  }

  @Test(arguments: [Problem.Kind.wrongSecret, .expired])
  func `without TLS a refusal leaves it open whether a claim is paid, and the vault is asked again`(
    kind: Problem.Kind
  ) async throws {
    // Without TLS a payment of before the time here is not called new.
    testbed.desk.scene.clock.run { UnixTime.now() }
    try await testbed.open(bob)
    let remote = "http://[::ffff:127.0.0.1]:\(testbed.server.port)"
    let (link, id) = try await testbed.lockedLink()
    try await testbed.move(to: remote, bob)
    testbed.server.forgeAnswer(to: "/claim", Problem(kind, "no"))
    let received = try await bob.take(link, "--vault", remote, "--claim")
    #expect(received.status == 5, "\(received)")
    #expect(try await bob.history().first?.string("money") == "asked")
    #expect(try await testbed.balance(bob, at: remote) == "1.00 USDC\n")
    testbed.server.forgeAnswer(to: "/claim", Problem(kind, "no"))
    #expect(try await bob.run("claim", id).status == 5)
    #expect(try await bob.run("claim", id).status == 0)
  }

  @Test func `a claim whose payout was asked for before is perhaps paid while the vault is silent`() async throws {
    let id = try await doubtful()
    for _ in 0..<8 { testbed.server.loseAnswer(to: "/api/vault") }
    let again = try await bob.run("claim", id)
    #expect(again.status == 5 && again.standardError.contains("the vault may have paid claim \(id) to 0x"), "\(again)")
    #expect(try await bob.history().first?.string("money") == "asked")
  }

  @Test func `a payout that was asked for stays so when the vault says that nothing is locked`() async throws {
    let id = try await doubtful()
    let ledgerID = try await ledgerID(id, of: bob)
    for command in [["claim", id], ["receive", "--link", "-", "--vault", testbed.server.url]] {
      testbed.server.forgeAnswer(to: ledgerID, Problem(.unknownClaim, "the vault has no claim of that id"))
      let link = try await testbed.link(of: id)
      let said = try await bob.run(command, input: link + "\n")
      #expect(said.status == (command[0] == "claim" ? 5 : 0), "\(said)")
      #expect(try await bob.history().first?.string("money") == "asked", "\(command[0])")
    }
    // The payment was this store's own.
    let paid = try await bob.run("claim", id)
    #expect(paid.status == 0 && paid.standardOutput.hasPrefix("Claimed 1.00 USDC to "), "\(paid)")
  }

  @Test(arguments: [true, false])
  func `a payout in doubt is asked of the vault that was asked first, whichever is named`(isReceived: Bool)
    async throws
  {
    let id = try await doubtful()
    let other = try await testbed.confirmNobody(for: bob)
    let link = try await testbed.link(of: id)
    let arguments = isReceived ? ["receive", "--link", "-", "--claim"] : ["claim", id]
    let again = try await bob.run(arguments + ["--vault", other], input: link + "\n")
    #expect(again.status == 0, "\(again)")
    #expect(try await bob.history().first?.string("vault") == testbed.server.url)
    #expect(try await testbed.balance(bob) == "1.00 USDC\n")
  }

  @Test func `a request to this machine uses no proxy, whatever the environment names`() async throws {
    // Nobody listens there.
    let proxy = "http://127.0.0.1:\(try closedPort())"
    for host in ["127.0.0.1", "localhost"] {
      let url = testbed.server.url.replacing("127.0.0.1", with: host)
      let trusted = try await bob.run(
        ["wallet", "trust", url, "--yes"], changes: ["http_proxy": proxy, "all_proxy": proxy, "ALL_PROXY": proxy])
      #expect(trusted.status == 0, "\(trusted)")
    }
  }

  // MARK: Sends

  @Test func `a locked claim that its vault does not know any more is not handed over`() async throws {
    let (_, id) = try await testbed.lockedLink()
    testbed.server.forgeAnswer(
      to: try await ledgerID(id, of: alice), Problem(.unknownClaim, "the vault has no claim of that id"))
    let link = try await alice.run("link", id)
    #expect(link.status == 1 && link.standardOutput.isEmpty, "\(link)")
    #expect(link.error?.contains("no longer knows claim \(id), although it has said") == true)
  }

  @Test func `a locked claim is not handed over where its vault calls it a draft, or does not prove who it is`()
    async throws
  {
    let (_, id) = try await testbed.lockedLink()
    testbed.server.forgeAnswer(to: try await ledgerID(id, of: alice), try await forged(id, "none"))
    let draft = try await alice.run("link", id)
    #expect(draft.status == 1 && draft.standardOutput.isEmpty, "\(draft)")
    testbed.server.forgeAnswer(to: "/api/vault", .object([]))
    let stranger = try await alice.run("link", id)
    #expect(stranger.status == 1 && stranger.standardOutput.isEmpty, "\(stranger)")
    #expect(stranger.error?.contains("cannot be believed") == true, "\(stranger)")
    #expect(try await alice.run("link", id).status == 0)
  }

  @Test func `a claim that is locked at one vault is sent again by that one, whichever is named`() async throws {
    let (_, id) = try await testbed.lockedLink()
    let other = try await testbed.confirmNobody(for: alice)
    let sent = try await alice.run(
      "send", "--again", id, "--vault", other, "--discovery", "none", "--discovery-timeout", "0.1", "--json")
    let locked = try #require(try sent.events.first { $0.string("event") == "locked" }, "\(sent)")
    #expect(locked.string("vault") == testbed.server.url)
    #expect(try await alice.history().first?.string("vault") == testbed.server.url)
  }

  @Test func `two sends of one claim at once ask its vault for one deposit`() async throws {
    let claim = try await alice.claim(.new, expiry: UnixTime.now() / 60 * 60 + 3600)
    let arguments = [
      "send", "--again", "\(claim)", "--vault", testbed.server.url, "--discovery", "none", "--discovery-timeout", "0.1",
    ]
    async let first = alice.run(arguments)
    async let second = alice.run(arguments)
    let ends = try await [first, second]
    #expect(ends.contains { [0, 3].contains($0.status) }, "\(ends)")
    let deposits = Set(testbed.server.requests.filter { $0.contains("/deposit ") })
    #expect(deposits.count == 1, "\(deposits)")
    #expect(try await testbed.balance(alice) == "2.00 USDC\n")
  }

  @Test func `a deposit in doubt whose claim was claimed meanwhile has no link`() async throws {
    for _ in 0..<8 { testbed.server.loseAnswer(to: "/deposit") }
    #expect(try await testbed.send().status == 5)
    let id = try #require(try await alice.history().first?.string("claimId"))
    let store = try await ClaimStore.open(at: alice.store)
    let claim = try #require(try await store.outgoing(ClaimID(id)))
    // Somebody who has the secret takes it.
    try await testbed.open(bob)
    let link = try ClaimLink(claim: claim.claim, expiry: claim.expiry).text
    #expect(try await bob.take(link, "--vault", testbed.server.url, "--claim").status == 0)
    let shown = try await alice.run("link", id)
    #expect(shown.status == 1 && shown.standardOutput.isEmpty, "\(shown)")
    #expect(shown.error?.contains("claim \(id) was claimed at its vault already") == true, "\(shown)")
    #expect(try await alice.history().first?.string("money") == "claimed")
  }

  // MARK: Several claims of one id

  /// Two received claims of one id: a forged one, and that which the vault holds.
  private func twoOfOneID() async throws -> String {
    try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    let claim = try UnverifiedClaimLink(link).verify()
    let forged = Claim(
      id: claim.claim.id, secret: try ClaimSecret([UInt8](repeating: 9, count: 16)), token: .usdc,
      amount: try Amount("9.00"))
    _ = try await bob.take(try ClaimLink(claim: forged, expiry: claim.expiry).text)
    _ = try await bob.take(link)
    return id
  }

  @Test func `of two received claims of one id that which the vault holds is paid`() async throws {
    let id = try await twoOfOneID()
    let paid = try await bob.run("claim", id, "--vault", testbed.server.url)
    #expect(paid.status == 0 && paid.standardOutput.hasPrefix("Claimed 1.00 USDC to "), "\(paid)")
    #expect(try await testbed.balance(bob) == "1.00 USDC\n")
  }

  @Test func `a silent vault is not said to hold none of two claims of one id`() async throws {
    let id = try await twoOfOneID()
    let nobody = try await testbed.confirmNobody(for: bob)
    let claimed = try await bob.run("claim", id, "--vault", nobody)
    #expect(claimed.status == 1 && !claimed.standardError.contains("holds none"), "\(claimed)")
    #expect(claimed.standardError.contains("it is not known which of the 2 claims with the id \(id) the vault holds"))
  }

  // MARK: Only a receipt is final

  @Test(arguments: ["claimed", "refunded"])
  func `that a claim is final is not kept without the vault's receipt, and is asked for again`(status: String)
    async throws
  {
    try await testbed.open(bob)
    let (link, id) = try await testbed.lockedLink()
    let ledgerID = try await ledgerID(id, of: alice)
    testbed.server.forgeAnswer(to: ledgerID, try await forged(id, status))
    let refused = try await alice.run("link", id)
    #expect(refused.status == 1 && refused.standardOutput.isEmpty, "\(refused)")
    #expect(
      refused.error?.contains("was \(status), says \(testbed.server.url) without a receipt") == true, "\(refused)")
    #expect(try await alice.history().first?.string("money") == "pending")
    #expect(try await alice.run("link", id).status == 0)

    testbed.server.forgeAnswer(to: ledgerID, try await forged(id, status))
    let received = try await bob.take(link, "--vault", testbed.server.url, "--json")
    #expect(try received.result.string("funding") == (status == "claimed" ? "taken" : "refunded"), "\(received)")
    #expect(received.standardOutput.contains(#""isSigned":false"#), "\(received)")
    #expect(try await bob.history().first?.string("money") == nil)
    let paid = try await bob.run("claim", id, "--vault", testbed.server.url)
    #expect(paid.status == 0 && paid.standardOutput.hasPrefix("Claimed 1.00 USDC to "), "\(paid)")
  }

  // MARK: New payments, and old ones

  /// Two tills of bob's, with a store each and one wallet.
  private func tills() async throws -> (Person, [String: String]) {
    try await testbed.open(bob)
    let other = try Person()
    #expect(try await other.run("wallet", "trust", testbed.server.url, "--yes").status == 0)
    return (other, ["BUMP_WALLET": "\(bob.home)/.local/share/bump/wallet.key"])
  }

  @Test func `of two tills of one wallet that take one claim one is paid, and the other is told when that was`()
    async throws
  {
    let (other, wallet) = try await tills()
    let (link, _) = try await testbed.lockedLink()
    let arguments = ["receive", "--link", "-", "--vault", testbed.server.url, "--claim", "--json"]
    let first = try await bob.run(arguments, input: link + "\n")
    #expect(try first.status == 0 && first.result.string("funding") == "claimed", "\(first)")
    let second = try await other.run(arguments, input: link + "\n", changes: wallet)
    #expect(try second.status == 8 && second.result.string("funding") == "alreadyPaid", "\(second)")
    #expect(try second.result.number("time") == first.result.number("time"))
    let third = try await bob.run(["claim", "-", "--vault", testbed.server.url], input: link + "\n")
    #expect(third.status == 8 && third.standardError.contains("Nothing was paid now."), "\(third)")
  }

  @Test func `of two tills of one wallet that take one claim at once one is paid`() async throws {
    let (other, wallet) = try await tills()
    let (link, _) = try await testbed.lockedLink()
    let arguments = ["receive", "--link", "-", "--vault", testbed.server.url, "--claim"]
    testbed.server.hold()
    let first = try await RunningProcess.start([BumpCommand.binary] + arguments, environment: bob.environment)
    let second = try await RunningProcess.start(
      [BumpCommand.binary] + arguments, environment: other.environment.merging(wallet) { $1 })
    for running in [first, second] {
      running.type(link + "\n")
      running.closeInput()
    }
    testbed.server.letGo()
    let ends = try await [first.finish(), second.finish()]
    #expect(ends.map(\.status).sorted() == [0, 8], "\(ends)")
    #expect(try await testbed.balance(bob) == "1.00 USDC\n")
  }
}

extension VaultTestbed {
  /// The link of a claim of alice's, from her store.
  fileprivate func link(of id: String) async throws -> String {
    let store = try await ClaimStore.open(at: alice.store)
    let claim = try #require(try await store.outgoing(ClaimID(id)))
    return try ClaimLink(claim: claim.claim, expiry: claim.expiry).text
  }
}
