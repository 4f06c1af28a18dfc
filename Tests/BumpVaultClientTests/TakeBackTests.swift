import BumpClaims
import BumpStore
import BumpVault
import BumpVaultAPI
import BumpVaultHTTP
import BumpWallet
import Lab
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// Locked money that its sender takes back before the claim expires.
@Suite(.processes()) struct TakeBackTests {
  private let alice: Person
  private let bob: Person
  private let here: StoreAtVault
  private var desk: InProcessVaultServer { here.desk }

  init() async throws {
    (alice, bob) = (try Person(1), try Person(2))
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    here = try await StoreAtVault(desk)
  }

  /// The money of a new claim, locked.
  private func locked() async throws -> OutgoingFunding {
    let funding = try await here.newFunding()
    try await funding.lock(from: alice.key)
    return funding
  }

  private func state(of funding: OutgoingFunding) async throws -> HandoverState? {
    try await here.store.outgoing(funding.claim.claim.id)?.state
  }

  private func path(_ funding: OutgoingFunding, _ end: String) -> String {
    "/api/claims/\(funding.terms.ledgerID)/\(end)"
  }

  /// Has the next answers to a path be a refusal that anybody on the way may have made. The requests are carried out.
  private func refuse(_ path: String, _ kind: Problem.Kind) {
    desk.forge(path) { _ in
      .answer(
        status: kind.status, body: Problem(kind, "no").answer.body.encoded, VaultReply.Context(isAuthentic: false))
    }
  }

  // MARK: Once

  @Test func `a new claim's money is taken back before the expiry, once, and a receiver gets nothing afterwards`()
    async throws
  {
    let funding = try await locked()
    let receipt = try await funding.takeBack().receipt
    #expect(receipt.outcome == .claimed && receipt.receiver == alice.address)
    #expect(try await desk.scene.balance(alice) == 3_000_000)
    #expect(try await funding.isTakenBack())
    let refusal = await #expect(throws: VaultRefusal.self) { try await desk.take(funding, for: bob) }
    #expect(refusal?.code == .alreadyClaimed)
    #expect(try await desk.scene.balance(bob) == 0)

    #expect(try await funding.takeBack().receipt == receipt)
    #expect(try await funding.refund().receipt == receipt)
    #expect(try await failure { try await funding.checkLocked() } == .takenBack)
    desk.scene.clock.set(funding.claim.expiry.unixSeconds)
    #expect(try await funding.refund().receipt == receipt)
    #expect(try await desk.scene.balance(alice) == 3_000_000)
  }

  @Test func `a receiver that comes after the sender reads that the claim was claimed`() async throws {
    let funding = try await locked()
    _ = try await funding.takeBack()
    let theirs = try await StoreAtVault(desk)
    let received = try IncomingFunding(
      funding.claim.claim, expiry: funding.claim.expiry, at: theirs.vault, in: theirs.store)
    #expect(try await failure { _ = try await received.claim(to: bob.address) } == .claimed)
    let kept = try await theirs.recorded(received)
    #expect(kept?.status == .claimed && kept?.receiver == alice.address.description)
  }

  @Test func `money that a receiver has claimed is not taken back`() async throws {
    let funding = try await locked()
    try await desk.take(funding, for: bob)
    #expect(try await failure { _ = try await funding.takeBack() } == .claimed)
    #expect(try await here.recorded(funding)?.status == .claimed)
    #expect(try await !funding.isTakenBack())
    #expect(try await desk.scene.balance(alice) == 2_000_000)
  }

  @Test func `of a sender and a receiver that claim at once the first is paid, and the other reads that`() async throws
  {
    let (funding, bob) = (try await locked(), bob)
    here.line.before("/claim") { [desk] _ in try await desk.take(funding, for: bob) }
    #expect(try await failure { _ = try await funding.takeBack() } == .claimed)
    let kept = try await here.recorded(funding)
    #expect(kept?.status == .claimed && kept?.receiver == bob.address.description)
    #expect(try await desk.scene.balance(bob) == 1_000_000)
    #expect(try await desk.scene.balance(alice) == 2_000_000)
  }

  @Test func `a wait for the claim to be claimed ends where it is taken back`() async throws {
    let funding = try await locked()
    let receipt = try await funding.takeBack()
    let end = await funding.settlement(onFailure: { record("\($0)") }, pause: untilCancelled)
    #expect(end == .settled(receipt))
  }

  // MARK: Consent

  @Test func `a claim that somebody may have is taken back with consent alone, and the vault pays nobody before`()
    async throws
  {
    let funding = try await locked()
    _ = try await here.store.showLink(of: funding.claim.claim.id)
    #expect(try await failure { _ = try await funding.takeBack() } == .handedOver)
    #expect(desk.bodies(of: "/claim").isEmpty)
    #expect(try await here.recorded(funding)?.status == .pending)
    try await funding.checkLocked()
    #expect(try await funding.takeBack(evenIfHandedOver: true).receipt.receiver == alice.address)
  }

  @Test func `while a receiver may still take a claim its money is not taken back, with consent or without`()
    async throws
  {
    // The store's own time is the machine's. The claim must not have expired by either, and a vault's time runs forward.
    desk.scene.clock.set(max(desk.scene.clock.now, UnixTime.now() / 60 * 60))
    let funding = try await locked()
    let released = try await here.store.release(
      funding.claim.claim.id, to: DisplayName("bob"), answerWithin: .seconds(600))
    guard case .released(let deadline) = released else { return record("\(released)") }
    for consent in [false, true] {
      let error = await #expect(throws: FundingError.self) { try await funding.takeBack(evenIfHandedOver: consent) }
      // The store's two clocks do not turn at the same moment: it may name the second after.
      #expect(error?.code == .inFlight)
      #expect((deadline...deadline + 1).contains(try #require(error?.time)))
      #expect(error?.reason.contains(#"was sent to "bob", who may still take it for "#) == true)
    }
    #expect(desk.bodies(of: "/claim").isEmpty)
    #expect(try await here.recorded(funding)?.status == .pending)
  }

  // MARK: Not handed over

  @Test func `that money is taken back is in the store before its vault is asked to pay it`() async throws {
    let funding = try await locked()
    let (before, feed) = AsyncStream.makeStream(of: (Funding.Status?, HandoverState?).self)
    here.line.before("/claim") { [here] _ in
      feed.yield(
        (
          try await here.recorded(funding)?.status,
          try await here.store.outgoing(funding.claim.claim.id)?.state
        ))
    }
    _ = try await funding.takeBack()
    feed.finish()
    var said: [(Funding.Status?, HandoverState?)] = []
    for await pair in before { said.append(pair) }
    #expect(said.count == 1 && said.first?.0 == .takingBack && said.first?.1 == .linkShown)
  }

  @Test func `while no answer says whether money was taken back the claim is not handed over, and the next try tells`()
    async throws
  {
    let funding = try await locked()
    desk.loseAnswers()
    #expect(try await failure { _ = try await funding.takeBack() } == .perhapsRefunded)
    #expect(try await here.recorded(funding)?.status == .takingBack)
    let count = desk.requests.count
    #expect(try await failure { try await funding.checkLocked() } == .takenBack)
    #expect(try await failure { try await funding.lock(from: alice.key) } == .takenBack)
    #expect(desk.requests.count == count, "the store knows it, whatever the vault says")

    #expect(try await funding.takeBack().receipt.receiver == alice.address)
    #expect(desk.bodies(of: "/claim").count == 1, "it is asked for with the same proof")
    #expect(try await desk.scene.balance(alice) == 3_000_000)
    #expect(try await funding.isTakenBack())
  }

  @Test func `money whose payment back did not reach its vault stays being taken back, and a look at it tells the end`()
    async throws
  {
    let funding = try await locked()
    desk.lose([InProcessVaultServer.Loss](repeating: .unsent, count: 8))
    #expect(try await failure { _ = try await funding.takeBack() } == .vault)
    try await funding.refresh()
    #expect(try await here.recorded(funding)?.status == .takingBack)
    #expect(try await failure { try await funding.checkLocked() } == .takenBack)
    // Consent was not needed, and is not needed now.
    desk.loseAnswers()
    #expect(try await failure { _ = try await funding.takeBack() } == .perhapsRefunded)
    desk.lose([])
    try await funding.refresh()
    #expect(try await funding.isTakenBack())
  }

  // MARK: Nothing to take back

  @Test func `of a claim without a deposit nothing is taken back, and its vault is not asked`() async throws {
    let funding = try await here.newFunding()
    let count = desk.requests.count
    #expect(try await failure { _ = try await funding.takeBack() } == .nothingToRefund)
    #expect(desk.requests.count == count)
    #expect(try await state(of: funding) == .new)
  }

  @Test func `a deposit in doubt is settled before its money is taken back`() async throws {
    let funding = try await here.newFunding()
    desk.loseAnswers(after: 1)
    #expect(try await failure { try await funding.lock(from: alice.key) } == .perhapsLocked)
    let count = desk.requests.count
    #expect(try await failure { _ = try await funding.takeBack() } == .depositOpen)
    #expect(desk.requests.count == count)
    desk.scene.clock.advance(by: DepositSession.validity)
    #expect(try await funding.takeBack().receipt.receiver == alice.address)
    #expect(desk.bodies(of: "/deposit").count == 1)
    #expect(try await desk.scene.balance(alice) == 3_000_000)
  }

  @Test func `an expired claim is refunded where its money was to be taken back`() async throws {
    let funding = try await locked()
    desk.scene.clock.set(funding.claim.expiry.unixSeconds)
    #expect(try await funding.takeBack().receipt.outcome == .refunded)
    #expect(try await here.recorded(funding)?.status == .refunded)
  }

  @Test func `money that was locked since the backup of a restored store is refunded after the expiry alone`()
    async throws
  {
    let funding = try await here.newFunding()
    try here.backUp()
    try await funding.lock(from: alice.key)
    let restored = try await here.restored(funding)
    #expect(try await failure { _ = try await restored.takeBack(evenIfHandedOver: true) } == .notPayable)
    #expect(desk.bodies(of: "/claim").isEmpty)
    desk.scene.clock.set(funding.claim.expiry.unixSeconds)
    #expect(try await restored.refund().receipt.outcome == .refunded)
  }

  // MARK: What is not signed

  @Test(arguments: [Problem.Kind.wrongSecret, .alreadyClaimed, .unknownClaim])
  func `a refusal that anybody may have made leaves it open whether money was taken back`(kind: Problem.Kind)
    async throws
  {
    let funding = try await locked()
    refuse(path(funding, "claim"), kind)
    #expect(try await failure { _ = try await funding.takeBack() } == .perhapsRefunded)
    #expect(try await here.recorded(funding)?.status == .takingBack)
    desk.forge(path(funding, "claim")) { $0 }
    #expect(try await funding.takeBack().receipt.receiver == alice.address)
  }

  @Test func `where anybody may have said that a claim has not expired, or that it has, only a receipt ends the doubt`()
    async throws
  {
    let funding = try await locked()
    refuse(path(funding, "refund"), .notExpired)
    let early = await #expect(throws: FundingError.self) { try await funding.refund() }
    #expect(early?.code == .perhapsRefunded && early?.failure?.problem == .notExpired)
    refuse(path(funding, "claim"), .expired)
    #expect(try await failure { _ = try await funding.takeBack() } == .perhapsRefunded)
    #expect(try await here.recorded(funding)?.status == .takingBack)
    desk.scene.clock.set(funding.claim.expiry.unixSeconds)
    desk.forge(path(funding, "refund")) { $0 }
    #expect(try await funding.takeBack().receipt.outcome == .claimed, "the first request was carried out")
    #expect(try await desk.scene.balance(alice) == 3_000_000)
  }
}
