import BumpClaims
import BumpStore
import BumpVault
import BumpVaultAPI
import BumpWallet
import Lab
import Synchronization
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// The money of a claim made here: what the store has about it at each moment, and what is repeated.
@Suite(.processes()) struct OutgoingFundingTests {
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

  private struct NoWallet: Error {}
  private func noWallet() throws -> PrivateKey { throw NoWallet() }

  // MARK: Locking

  @Test func `a new claim at a vault is recorded from the start as one whose money is not locked`() async throws {
    let funding = try await here.newFunding()
    #expect(try await here.recorded(funding)?.status == .refused)
    #expect(try await failure { try await funding.checkLocked() } == .nothingLocked)
    #expect(desk.bodies(of: "/deposit").isEmpty)
  }

  @Test func `a deposit is in the store before it is sent`() async throws {
    let funding = try await here.newFunding()
    let (before, feed) = AsyncStream.makeStream(of: (Funding?, [UInt8]?).self)
    here.line.before("/deposit") { [here] request in feed.yield((try await here.recorded(funding), request.body)) }
    let lock = try await funding.lock(from: alice.key)
    feed.finish()
    var said: [(Funding?, [UInt8]?)] = []
    for await pair in before { said.append(pair) }
    let (record, body) = try #require(said.first)
    #expect(record?.status == .asked && record?.account == alice.address.description)
    #expect(body == record?.request.map { Array($0.utf8) } && body != nil)
    let kept = try await here.recorded(funding)
    #expect(kept?.status == .pending && kept?.transaction == lock.transaction?.description)
  }

  @Test func `a deposit whose answers were lost is repeated with the same request, without the key`() async throws {
    let funding = try await here.newFunding()
    desk.loseAnswers(after: 1)
    #expect(try await failure { try await funding.lock(from: alice.key) } == .perhapsLocked)
    #expect(try await here.recorded(funding)?.status == .asked)
    // An authorization of its own would have another time.
    desk.scene.clock.advance(by: 10)
    #expect(try await funding.lock(from: noWallet()).transaction != nil)
    #expect(desk.bodies(of: "/deposit").count == 1)
    #expect(try await desk.scene.balance(alice) == 2_000_000)
    #expect(try await here.recorded(funding)?.status == .pending)
    #expect(try await funding.lock(from: noWallet()).transaction == nil, "it was locked before")
  }

  @Test func `a second process does not lock a claim beside the first`() async throws {
    let funding = try await here.newFunding()
    let second = try OutgoingFunding(funding.claim, at: here.vault, in: try await here.another())
    let inner = Mutex<FundingError.Code?>(nil)
    let alice = alice
    // The first one has drafted the claim, and has recorded nothing yet.
    here.line.before("/api/claims") { [desk] _ in
      desk.scene.clock.advance(by: 1)
      desk.loseAnswers(after: 1)
      let code = try await failure { try await second.lock(from: alice.key) }
      inner.withLock { $0 = code }
      desk.scene.clock.advance(by: 1)
    }
    #expect(try await failure { try await funding.lock(from: alice.key) } == .otherProcess)
    #expect(inner.withLock(\.self) == .perhapsLocked)
    #expect(desk.bodies(of: "/deposit").count == 1)
    #expect(try await desk.scene.balance(alice) == 2_000_000)
  }

  @Test func `where somebody else has used a claim's id, another claim is made and locked`() async throws {
    let funding = try await here.newFunding()
    _ = try await desk.scene.vault.draft(funding.claim.claim.id, desk.scene.claim(7).terms)
    #expect(try await failure { try await funding.lock(from: alice.key) } == .idTaken)
    #expect(try await here.recorded(funding)?.status == .refused)
    let steps = Mutex<[String]>([])
    let (other, _) = try await funding.lockReplacing(from: alice.key) { step in
      steps.withLock { steps in
        switch step {
        case .asking(let funding): steps.append("asking \(funding.claim.claim.id)")
        case .idTaken(let funding): steps.append("taken \(funding.claim.claim.id)")
        }
      }
    }
    let (first, second) = (funding.claim.claim, other.claim.claim)
    #expect(steps.withLock(\.self) == ["asking \(first.id)", "taken \(first.id)", "asking \(second.id)"])
    #expect(first.id != second.id && first.amount == second.amount && funding.claim.expiry == other.claim.expiry)
    #expect(try await here.recorded(funding)?.status == .refused)
    #expect(try await here.recorded(other)?.status == .pending)
    #expect(try await desk.scene.balance(alice) == 2_000_000)
  }

  @Test func `a claim that expires too soon is not made, and one that is locked is not handed over`() async throws {
    let soon = Expiry(clamping: desk.scene.clock.now + 300)
    let made = try await failure {
      _ = try await OutgoingFunding.make(Amount("1.00"), .usdc, expiry: soon, at: here.vault, in: here.store)
    }
    #expect(made == .expiresTooSoon)
    #expect(try await here.store.newestOutgoing() == nil)
    let funding = try await here.newFunding()
    try await funding.lock(from: alice.key)
    desk.scene.clock.advance(by: 3300)
    #expect(try await failure { try await funding.checkLocked() } == .lockedExpiresTooSoon)
  }

  @Test func `a claim whose money may be locked stays with its vault, whichever is named`() async throws {
    let other = try #require(VaultURL("http://127.0.0.1:8643"))
    try await here.store.confirm(
      vault: other.description,
      describedAs: #require(here.store.confirmedVault(at: InProcessVaultServer.url.description)))
    let named = try #require(try await ConfirmedVault.known(other, in: here.store, by: here.line.connector))
    func vault(of funding: OutgoingFunding) async throws -> VaultURL? {
      try await OutgoingFunding.of(funding.claim, at: named, in: here.store, by: here.line.connector)?.vault.url
    }
    let funding = try await here.newFunding()
    #expect(try await vault(of: funding) == other)
    desk.loseAnswers(after: 1)
    #expect(try await failure { try await funding.lock(from: alice.key) } == .perhapsLocked)
    #expect(try await vault(of: funding) == InProcessVaultServer.url)
    try await funding.lock(from: noWallet())
    #expect(try await vault(of: funding) == InProcessVaultServer.url)
  }

  @Test func `that a claim is settled is not recorded without the vault's receipt`() async throws {
    let funding = try await here.newFunding()
    try await funding.lock(from: alice.key)
    try await desk.take(funding, for: bob)
    let refund = "/api/claims/\(funding.terms.ledgerID)/refund"
    desk.forge(refund) { _ in .unsent("nobody is there") }
    #expect(try await failure { try await funding.checkLocked() } == .noReceipt)
    #expect(try await here.recorded(funding)?.status == .pending)
    desk.forge(refund) { $0 }
    #expect(try await failure { try await funding.checkLocked() } == .settled)
    #expect(try await here.recorded(funding)?.status == .claimed)
  }

  // MARK: Refunds

  @Test func `nothing is refunded, or asked, while the authorization of a deposit in doubt may still be used`()
    async throws
  {
    let funding = try await here.newFunding()
    // The deposit may have been carried out: no answer came.
    desk.loseAnswers(after: 1)
    #expect(try await failure { try await funding.lock(from: alice.key) } == .perhapsLocked)
    let count = desk.requests.count
    #expect(try await failure { _ = try await funding.refund() } == .depositOpen)
    try await funding.refresh()
    #expect(desk.requests.count == count)
    #expect(try await here.recorded(funding)?.status == .asked)

    desk.scene.clock.advance(by: DepositSession.validity)
    #expect(try await failure { _ = try await funding.refund() } == .notExpired)
    #expect(desk.bodies(of: "/deposit").count == 1)
    #expect(try await here.recorded(funding)?.status == .pending)
    desk.scene.clock.set(funding.claim.expiry.unixSeconds)
    let receipt = try await funding.refund()
    #expect(receipt.receipt.outcome == .refunded)
    #expect(try await desk.scene.balance(alice) == 3_000_000)
    #expect(try await here.recorded(funding)?.status == .refunded)
  }

  @Test func `a deposit that came to nothing leaves nothing to refund`() async throws {
    let funding = try await here.newFunding()
    desk.lose([.none] + [InProcessVaultServer.Loss](repeating: .request, count: 8))
    #expect(try await failure { try await funding.lock(from: alice.key) } == .perhapsLocked)
    desk.scene.clock.advance(by: DepositSession.validity)
    #expect(try await failure { _ = try await funding.refund() } == .nothingToRefund)
    #expect(try await here.recorded(funding)?.status == .refused)
    #expect(try await desk.scene.balance(alice) == 3_000_000)
  }

  // MARK: A restored store

  @Test func `no second deposit is requested of a claim that may have been locked since the backup`() async throws {
    let funding = try await here.newFunding()
    try here.backUp()
    let restored = try await here.restored(funding)
    let count = desk.requests.count
    let doubt = await #expect(throws: FundingError.self) { try await restored.lock(from: noWallet()) }
    #expect(doubt?.code == .perhapsLocked && doubt?.time == funding.claim.expiry.unixSeconds)
    #expect(doubt?.amount == funding.claim.claim.amount, "another claim of that amount is advised")
    #expect(desk.bodies(of: "/deposit").isEmpty && desk.requests.count > count, "the vault was asked")
    #expect(try await restored.recorded()?.status == .asked)

    // The store that was lost had locked it.
    try await funding.lock(from: alice.key)
    #expect(try await restored.lock(from: noWallet()).transaction == nil)
    #expect(try await restored.recorded()?.status == .pending)
    #expect(desk.bodies(of: "/deposit").count == 1)
    desk.scene.clock.set(funding.claim.expiry.unixSeconds)
    _ = try await restored.refund()
    #expect(try await desk.scene.balance(alice) == 3_000_000)
  }

  @Test func `a restored store finds out what became of a claim's money, and stops asking where nothing was locked`()
    async throws
  {
    let (locked, other) = (try await here.newFunding(), try await here.newFunding())
    try here.backUp()
    try await locked.lock(from: alice.key)
    let restored = try await here.restored(locked)
    try await restored.refresh()
    #expect(try await restored.recorded()?.status == .pending)

    let never = try OutgoingFunding(other.claim, at: here.vault, in: restored.store)
    try await never.refresh()
    #expect(try await never.recorded()?.status == .asked, "the vault's word alone ends no doubt before the expiry")
    desk.scene.clock.set(other.claim.expiry.unixSeconds)
    #expect(try await failure { _ = try await never.refund() } == .nothingToRefund)
    #expect(try await never.recorded()?.status == .refused)
  }

  // MARK: A second receipt

  /// A locked claim that was claimed, and of which the store has another receipt of the same vault.
  private func withOtherReceipt() async throws -> OutgoingFunding {
    let funding = try await here.newFunding()
    try await funding.lock(from: alice.key)
    try await desk.take(funding, for: bob)
    var kept = try #require(try await here.recorded(funding))
    let other = "0x" + String(repeating: "11", count: 32)
    (kept.status, kept.transaction, kept.receipt) = (.claimed, other, "signed before")
    _ = try await here.store.note(kept, of: funding.claim.claim, expiry: funding.claim.expiry, .outgoing)
    return funding
  }

  @Test func `a receipt that contradicts the recorded one is not kept`() async throws {
    let funding = try await withOtherReceipt()
    desk.scene.clock.set(funding.claim.expiry.unixSeconds)
    #expect(try await failure { _ = try await funding.refund() } == .secondReceipt)
    #expect(try await here.recorded(funding)?.receipt == "signed before")
  }

  @Test func `a receipt that contradicts the recorded one does not end a wait`() async throws {
    let funding = try await withOtherReceipt()
    let (codes, feed) = AsyncStream.makeStream(of: FundingError.Code?.self)
    let waiting = Task {
      await funding.settlement(onFailure: { feed.yield(($0 as? FundingError)?.code) }, pause: untilCancelled)
    }
    let first = await codes.first { _ in true }
    #expect(first == FundingError.Code.secondReceipt)
    waiting.cancel()
    #expect(await waiting.value == nil)
    #expect(try await here.recorded(funding)?.receipt == "signed before")
  }

  // MARK: Waiting

  @Test func `a wait ends with the vault's receipt, which is recorded`() async throws {
    let funding = try await here.newFunding()
    try await funding.lock(from: alice.key)
    try await desk.take(funding, for: bob)
    let end = await funding.settlement(onFailure: { record("\($0)") }, pause: untilCancelled)
    guard case .settled(let receipt) = end else { return record("not settled") }
    #expect(receipt.receipt.receiver == bob.address)
    let kept = try await here.recorded(funding)
    #expect(kept?.status == .claimed && kept?.receiver == bob.address.description && kept?.receipt != nil)
  }

  @Test func `a wait for a claim that nobody takes ends at its expiry, and records nothing`() async throws {
    let funding = try await here.newFunding()
    try await funding.lock(from: alice.key)
    desk.scene.clock.set(funding.claim.expiry.unixSeconds)
    let end = await funding.settlement(onFailure: { record("\($0)") }, pause: { _ in })
    #expect(end == .expiring)
    #expect(try await here.recorded(funding)?.status == .pending)
  }
}
