import BumpClaims
import BumpStore
import BumpVaultAPI
import BumpWallet
import Lab
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// What the store has of a transaction of one's own before it is sent, and which contract it is for.
@Suite(.processes()) struct OwnTransactionTests {
  private let alice: Person
  private let bob: Person
  private let carol: Person
  private let here: StoreAtVault
  private let first = Bytes32.word(1 as UInt64)
  private let second = Bytes32.word(2 as UInt64)

  init() async throws {
    (alice, bob, carol) = (try Person(1), try Person(2), try Person(3))
    here = try await StoreAtVault(try await .locking(from: alice))
  }

  // MARK: Claims

  @Test func `a payout is recorded with its transactions as asked for, and never as claimed`() async throws {
    let funding = try here.received()
    #expect(try await funding.ownTransactions().all.isEmpty)
    _ = try await funding.begin(.init(first, paying: bob.address))
    _ = try await funding.begin(.init(second, paying: carol.address))
    let record = try #require(try await here.recorded(funding))
    #expect(record.status == .asked && record.account == "\(carol.address)" && record.transaction == "\(second)")
    let own = try await funding.ownTransactions().all
    #expect(own == [.init(first, paying: bob.address), .init(second, paying: carol.address)])
    #expect(try await IncomingFunding.vaultInDoubt(about: funding.claim, in: here.store) == here.vault.url)
    // The vault is asked later, and signs that it was paid.
    #expect(try await funding.claim(to: carol.address).receipt.receiver == carol.address)
  }

  @Test func `a vault that is asked for the payout meanwhile makes no transaction forgotten`() async throws {
    let funding = try here.received()
    _ = try await funding.begin(.init(first, paying: bob.address))
    here.desk.loseAnswers()
    #expect(try await failure { _ = try await funding.claim(to: bob.address) } == .perhapsPaid)
    #expect(try await funding.ownTransactions().all.map(\.hash) == [first])
    #expect(try await here.recorded(funding)?.transaction == "\(first)")
  }

  @Test func `of two that are recorded at once one is refused, and neither is forgotten`() async throws {
    let funding = try here.received()
    _ = try await funding.begin(.init(first, paying: bob.address))
    let before = try #require(try await here.recorded(funding))
    _ = try await funding.begin(.init(second, paying: bob.address))
    let isWritten = try await here.store.replace(
      before, by: before, of: funding.claim, expiry: funding.expiry, .incoming)
    #expect(!isWritten)
    #expect(try await funding.ownTransactions().all.map(\.hash) == [first, second])
  }

  @Test func `a transaction is recorded once, however often it is sent`() async throws {
    let funding = try here.received()
    for hash in [first, second, first] { _ = try await funding.begin(.init(hash, paying: bob.address)) }
    #expect(try await funding.ownTransactions().all.map(\.hash) == [second, first])
  }

  @Test func `of many transactions the latest sixteen are kept`() async throws {
    let funding = try here.received()
    for number in 1...20 as ClosedRange<UInt64> { _ = try await funding.begin(.init(.word(number), paying: nil)) }
    #expect(try await funding.ownTransactions().all.map(\.hash) == (5...20).map { .word($0 as UInt64) })
  }

  @Test func `a transaction of which no byte was sent leaves the record as it was`() async throws {
    let funding = try here.received()
    try await funding.withdraw(try await funding.begin(.init(first, paying: bob.address)))
    #expect(try await here.recorded(funding) == nil)
    _ = try await funding.begin(.init(first, paying: bob.address))
    try await funding.withdraw(try await funding.begin(.init(second, paying: bob.address)))
    // The first one may be carried yet.
    #expect(try await here.recorded(funding)?.status == .asked)
    #expect(try await funding.ownTransactions().all.map(\.hash) == [first])
  }

  @Test func `a claim that has ended by a receipt is not carried again`() async throws {
    let funding = try here.received()
    _ = try await funding.claim(to: bob.address)
    #expect(try await failure { _ = try await funding.ownTransactions() } == .settled)
    #expect(try await failure { _ = try await funding.begin(.init(first, paying: bob.address)) } == .otherProcess)
    #expect(try await here.recorded(funding)?.status == .claimed)
  }

  @Test func `a receipt for any address that an own transaction paid is not somebody else's`() async throws {
    let funding = try here.received()
    _ = try await funding.begin(.init(first, paying: carol.address))
    _ = try await funding.begin(.init(second, paying: bob.address))
    // The first one was carried.
    try await here.desk.scene.take(here.desk.scene.claim(1), for: carol)
    // A history that asks the vault in between says so, too.
    guard case .settled(let receipt) = try await funding.state() else {
      Issue.record("not settled")
      return
    }
    #expect(receipt.receipt.receiver == carol.address)
    let record = try #require(try await here.recorded(funding))
    #expect(record.status == .claimed && record.account == "\(carol.address)" && record.receiver == record.account)
    for _ in 1...2 { try await expectOwn(carol, of: funding, askedFor: bob) }
  }

  @Test func `a payout that finds an own transaction's payment says that it is one's own, as often as it is asked`()
    async throws
  {
    let funding = try here.received()
    _ = try await funding.begin(.init(first, paying: carol.address))
    _ = try await funding.begin(.init(second, paying: bob.address))
    try await here.desk.scene.take(here.desk.scene.claim(1), for: carol)
    for _ in 1...2 { try await expectOwn(carol, of: funding, askedFor: bob) }
    let record = try #require(try await here.recorded(funding))
    #expect(record.status == .claimed && record.account == "\(carol.address)" && record.receiver == record.account)
  }

  @Test func `a receipt for an address that no own transaction paid is somebody else's`() async throws {
    let funding = try here.received()
    _ = try await funding.begin(.init(first, paying: bob.address))
    try await here.desk.scene.take(here.desk.scene.claim(1), for: carol)
    let error = await #expect(throws: FundingError.self) { _ = try await funding.claim(to: bob.address) }
    #expect(error?.reason.contains("by somebody else") == true)
    let record = try #require(try await here.recorded(funding))
    #expect(record.account == "\(bob.address)" && record.receiver == "\(carol.address)")
  }

  private func expectOwn(_ paid: Person, of funding: IncomingFunding, askedFor receiver: Person) async throws {
    let error = await #expect(throws: FundingError.self) { _ = try await funding.claim(to: receiver.address) }
    #expect(error?.code == .claimed && error?.remedy == "You had it paid there yourself")
    #expect(error?.reason.contains("somebody else") == false && error?.reason.contains("\(paid.address)") == true)
  }

  // MARK: Money that is its sender's again

  /// The money of a new claim, locked.
  private func locked() async throws -> OutgoingFunding {
    let funding = try await here.newFunding()
    try await funding.lock(from: alice.key)
    return funding
  }

  @Test func `a refund's transaction changes nothing else of the record`() async throws {
    let funding = try await locked()
    let before = try #require(try await here.recorded(funding))
    _ = try await funding.begin(.init(first, paying: nil), takingBack: nil)
    let record = try #require(try await here.recorded(funding))
    #expect(record.status == .pending && record.transaction == before.transaction)
    #expect(try await funding.ownTransactions().all == [.init(first, paying: nil)])
  }

  @Test func `a refund of which no byte was sent leaves the record as it was`() async throws {
    let funding = try await locked()
    let before = try #require(try await here.recorded(funding))
    try await funding.withdraw(try await funding.begin(.init(first, paying: nil), takingBack: nil))
    #expect(try await here.recorded(funding) == before)
    // One that may be carried stays, and so does the record of another process.
    _ = try await funding.begin(.init(first, paying: nil), takingBack: nil)
    let unsent = try await funding.begin(.init(second, paying: nil), takingBack: nil)
    try await funding.withdraw(unsent)
    #expect(try await funding.ownTransactions().all.map(\.hash) == [first])
    _ = try await funding.begin(.init(.word(3 as UInt64), paying: nil), takingBack: nil)
    try await funding.withdraw(unsent)
    #expect(try await funding.ownTransactions().all.map(\.hash) == [first, .word(3 as UInt64)])
  }

  @Test func `a claim whose taking back was not sent is handed over no more all the same`() async throws {
    let funding = try await locked()
    try await funding.withdraw(try await funding.begin(.init(first, paying: alice.address), takingBack: false))
    #expect(try await here.recorded(funding)?.status == .takingBack)
    #expect(try await funding.ownTransactions().all.isEmpty)
    #expect(try await failure { try await funding.checkLocked() } == .takenBack)
  }

  @Test func `a claim that is taken back is handed over no more, and its transactions are kept`() async throws {
    let funding = try await locked()
    #expect(try await funding.walletToTakeBackTo(evenIfHandedOver: false) == alice.address)
    _ = try await funding.begin(.init(first, paying: alice.address), takingBack: false)
    _ = try await funding.begin(.init(second, paying: alice.address), takingBack: false)
    #expect(try await here.recorded(funding)?.status == .takingBack)
    #expect(try await funding.ownTransactions().all.map(\.hash) == [first, second])
    #expect(try await failure { try await funding.checkLocked() } == .takenBack)
    // It stays so once the claim has expired, and is refunded.
    _ = try await funding.begin(.init(.word(3 as UInt64), paying: nil), takingBack: nil)
    #expect(try await here.recorded(funding)?.status == .takingBack)
    #expect(try await funding.ownTransactions().all.count == 3)
  }

  @Test func `a claim that somebody may have is taken back with its owner's consent alone`() async throws {
    let funding = try await locked()
    _ = try await here.store.showLink(of: funding.claim.claim.id)
    let shown = try OutgoingFunding(
      try #require(await here.store.outgoing(funding.claim.claim.id)), at: here.vault, in: here.store)
    let unasked = try await failure { _ = try await shown.walletToTakeBackTo(evenIfHandedOver: false) }
    #expect(unasked == .handedOver)
    let begun = try await failure {
      _ = try await shown.begin(.init(first, paying: alice.address), takingBack: false)
    }
    #expect(begun == .handedOver)
    #expect(try await here.recorded(funding)?.status == .pending)
    #expect(try await shown.walletToTakeBackTo(evenIfHandedOver: true) == alice.address)
  }

  @Test func `a deposit whose answer was lost, and which the chain has, is taken back too`() async throws {
    let funding = try await here.newFunding()
    here.desk.loseAnswers(after: 1)
    #expect(try await failure { try await funding.lock(from: alice.key) } == .perhapsLocked)
    #expect(try await here.recorded(funding)?.status == .asked)
    _ = try await funding.begin(.init(first, paying: alice.address), takingBack: false)
    #expect(try await here.recorded(funding)?.status == .takingBack)
    #expect(try await funding.ownTransactions().all.map(\.hash) == [first])
  }

  // MARK: Which contract

  private static func contract(_ number: UInt64, on chainID: UInt64 = 8453) throws -> KnownContract {
    let token = TokenContract(
      token: .usdc, address: try Person(70 + number).address, domainName: "USD Coin", domainVersion: "2",
      codeHash: .word(1 as UInt64))
    return try KnownContract(
      chainID: chainID, address: Person(80 + number).address, codeHash: .word(2 as UInt64), receiptKey: nil,
      tokens: [token])
  }

  private func contract(
    among contracts: [KnownContract], at url: String = "https://gone.example", holding token: Token = .usdc
  ) async throws -> ConfirmedVault {
    let line = here.line
    let connector = VaultConnector(contracts: contracts) { line.connector.client($0) }
    return try await .contract(holding: token, at: #require(VaultURL(url)), in: here.store, by: connector)
  }

  @Test func `the contract of a vault that is gone is the one that the user's configuration names`() async throws {
    let (known, asked) = (try Self.contract(1), here.desk.requests.count)
    let vault = try await contract(among: [known])
    #expect(vault.vault.pinned.vault == known.vault && vault.url == VaultURL("https://gone.example"))
    #expect(here.desk.requests.count == asked, "nobody is asked for it")
  }

  @Test func `no contract is guessed, and a vault that is none is not carried to`() async throws {
    #expect(try await failure { _ = try await contract(among: []) } == .unnamedContract)
    let two = [try Self.contract(1), try Self.contract(2)]
    #expect(try await failure { _ = try await contract(among: two) } == .unnamedContract)
    let euros = try Token("EURC")
    #expect(try await failure { _ = try await contract(among: [two[0]], holding: euros) } == .unnamedContract)
    let here = InProcessVaultServer.url.description
    #expect(try await failure { _ = try await contract(among: [two[0]], at: here) } == .noContract)
  }
}
