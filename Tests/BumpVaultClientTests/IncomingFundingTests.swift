import BumpClaims
import BumpStore
import BumpVaultAPI
import BumpVaultHTTP
import BumpWallet
import Lab
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// The money of a received claim: what the store has about it at each moment, and which payment is new.
@Suite(.processes()) struct IncomingFundingTests {
  private let alice: Person
  private let bob: Person
  private let carol: Person
  private let here: StoreAtVault
  private var desk: InProcessVaultServer { here.desk }

  init() async throws {
    (alice, bob, carol) = (try Person(1), try Person(2), try Person(3))
    here = try await StoreAtVault(try await .locking(from: alice))
  }

  @Test func `a payment is made now once, and every later claim of it is told that it was made before`() async throws {
    let funding = try here.received()
    let first = try await funding.claim(to: bob.address)
    #expect(first.isNew && first.receipt.receiver == bob.address)
    #expect(try await here.recorded(funding)?.status == .claimed)
    let second = try await funding.claim(to: bob.address)
    #expect(!second.isNew && second.receipt == first.receipt)
    // Another store of the same wallet.
    let other = try await StoreAtVault(desk)
    #expect(try await !other.received().claim(to: bob.address).isNew)
  }

  @Test func `a payment whose answers were lost is made now for the store that asked, and before for another`()
    async throws
  {
    let funding = try here.received()
    desk.loseAnswers()
    #expect(try await failure { _ = try await funding.claim(to: bob.address) } == .perhapsPaid)
    let asked = try await here.recorded(funding)
    #expect(asked?.status == .asked && asked?.heldAt == desk.scene.clock.now && asked?.account == "\(bob.address)")
    let other = try await StoreAtVault(desk)
    #expect(try await !other.received().claim(to: bob.address).isNew)
    let again = try await funding.claim(to: bob.address)
    #expect(again.isNew)
    #expect(desk.bodies(of: "/claim").count == 1)
    #expect(try await !funding.claim(to: bob.address).isNew)
  }

  @Test func `of two processes of one store that are paid at once one has made the payment`() async throws {
    let (funding, bob) = (try here.received(), bob)
    let second = try IncomingFunding(
      funding.claim, expiry: funding.expiry, at: here.vault, in: try await here.another())
    let (payments, feed) = AsyncStream.makeStream(of: Bool.self)
    here.line.before("/claim") { _ in feed.yield(try await second.claim(to: bob.address).isNew) }
    feed.yield(try await funding.claim(to: bob.address).isNew)
    feed.finish()
    var said: [Bool] = []
    for await isNew in payments { said.append(isNew) }
    #expect(said == [true, false])
  }

  @Test func `a payout that was asked for is in doubt, whatever the vault says of the claim`() async throws {
    let funding = try here.received()
    desk.loseAnswers()
    #expect(try await failure { _ = try await funding.claim(to: bob.address) } == .perhapsPaid)
    #expect(try await IncomingFunding.vaultInDoubt(about: funding.claim, in: here.store) == InProcessVaultServer.url)
    let path = try "/api/claims/\(desk.scene.claim(1).terms.ledgerID)"
    desk.forge(path) { _ in .answer(status: 404, body: Problem(.unknownClaim, "no").answer.body.encoded) }
    #expect(try await funding.state() == .notFunded)
    #expect(try await here.recorded(funding)?.status == .asked)
    #expect(try await failure { _ = try await funding.claim(to: bob.address) } == .perhapsPaid)
    #expect(try await here.recorded(funding)?.status == .asked)
    desk.forge(path) { $0 }
    #expect(try await funding.claim(to: bob.address).isNew)
  }

  // MARK: A request that was not carried out

  private func refusePayouts() throws {
    try desk.forge("/api/claims/\(desk.scene.claim(1).terms.ledgerID)/claim") { _ in
      .answer(status: 403, body: Problem(.wrongSecret, "no").answer.body.encoded)
    }
  }

  @Test func `a request that the vault refused is taken back, so that another's payment does not pass for its result`()
    async throws
  {
    let funding = try here.received()
    #expect(try await funding.state() == .funded)
    let before = try await here.recorded(funding)
    try refusePayouts()
    #expect(try await failure { _ = try await funding.claim(to: bob.address) } == .vault)
    #expect(try await here.recorded(funding) == before && before?.status == .pending)
  }

  @Test func `what another process recorded meanwhile is not taken back`() async throws {
    let funding = try here.received()
    try refusePayouts()
    let others = Funding(
      vault: InProcessVaultServer.url.description, ledgerID: "\(try desk.scene.claim(1).terms.ledgerID)",
      status: .asked,
      account: "\(carol.address)", request: "{}", heldAt: 7, updatedAt: 8)
    let store = try await here.another()
    here.line.before("/claim") { _ in
      _ = try await store.note(others, of: funding.claim, expiry: funding.expiry, .incoming)
    }
    #expect(try await failure { _ = try await funding.claim(to: bob.address) } == .vault)
    #expect(try await here.recorded(funding) == others)
  }

  // MARK: Receipts

  @Test func `a receipt that contradicts the recorded one is not kept`() async throws {
    let funding = try here.received()
    #expect(try await funding.state() == .funded)
    var kept = try #require(try await here.recorded(funding))
    let other = "0x" + String(repeating: "11", count: 32)
    (kept.status, kept.transaction, kept.receipt) = (.claimed, other, "signed before")
    _ = try await here.store.note(kept, of: funding.claim, expiry: funding.expiry, .incoming)
    #expect(try await failure { _ = try await funding.claim(to: bob.address) } == .secondReceipt)
    #expect(try await failure { _ = try await funding.state() } == .secondReceipt)
    #expect(try await here.recorded(funding)?.receipt == "signed before")
  }

  @Test func `that a claim was paid to somebody else is recorded with the receipt`() async throws {
    let funding = try here.received()
    try await desk.scene.take(desk.scene.claim(1), for: carol)
    guard case .settled(let receipt) = try await funding.state() else { return record("not settled") }
    #expect(receipt.receipt.receiver == carol.address)
    #expect(try await here.recorded(funding)?.receiver == "\(carol.address)")
    #expect(try await failure { _ = try await funding.claim(to: bob.address) } == .claimed)
  }
}
