import BumpClaims
import BumpVault
import BumpWallet
import Measures
import Synchronization
import Testing
import VaultContract

/// A store whose connection is lost at each commit but every third: before the change is made, or after.
private final class LosingStore: VaultStore {
  private let store: any VaultStore
  private let commits = Mutex(0)

  init(_ store: any VaultStore) { self.store = store }

  func commit(_ change: Change) async throws -> Committed? {
    let number = commits.withLock { count in
      count += 1
      return count
    }
    let lost = VaultStoreError(.failed, "the connection was lost")
    if number % 3 == 1 { throw lost }
    let committed = try await store.commit(change)
    if number % 3 == 2 { throw lost }
    return committed
  }

  func identity() async throws -> VaultIdentity { try await store.identity() }
  func rows(of claim: ClaimID) async throws -> ClaimRows { try await store.rows(of: claim) }
  func rows(of claim: ClaimID, from sender: Address) async throws -> DepositRows {
    try await store.rows(of: claim, from: sender)
  }
  func claimID(of ledgerID: Bytes32) async throws -> ClaimID? { try await store.claimID(of: ledgerID) }
  func rows(ofMint id: Bytes32, of token: Address) async throws -> MintRows {
    try await store.rows(ofMint: id, of: token)
  }
  func balances(of account: Address) async throws -> [Address: Int64] { try await store.balances(of: account) }
  func history(of account: Address, before number: Int64?, limit: Int) async throws -> [NumberedEntry] {
    try await store.history(of: account, before: number, limit: limit)
  }
  func removeDrafts(lifetime: Int64) async throws -> Int { try await store.removeDrafts(lifetime: lifetime) }
  func keepTime() async throws { try await store.keepTime() }
  func confirmClock() async throws -> StoreTime { try await store.confirmClock() }
  func seal(limit: Int) async throws -> Batch? { try await store.seal(limit: limit) }
  func batch(_ number: Int64) async throws -> SealedBatch? { try await store.batch(number) }
  func snapshot() async throws -> StoreSnapshot { try await store.snapshot() }
}

@Suite struct LostAnswerTests {
  private static let make = StoreMaker { LosingStore(InMemoryVaultStore($0, clock: $1)) }

  @Test func `a request that is repeated where the answer to a commit was lost does nothing twice`() async throws {
    let scene = try await Scene(Self.make)
    let (alice, bob) = (try Person(1), try Person(2))
    try await scene.answered { try await scene.mint(2_000_000, to: alice, id: 1) }
    let (claim, expired) = (try scene.claim(1), try scene.claim(2, lasting: 60))
    for claim in [claim, expired] {
      #expect(try await scene.answered { try await scene.lock(claim, from: alice) }.status == .pending)
    }
    let receipt = try await scene.answered { try await scene.take(claim, for: bob) }
    #expect(receipt.isSigned(by: scene.identity.address))
    scene.clock.advance(by: 60)
    let refund = try await scene.answered { try await scene.vault.refund(expired.id) }
    #expect(refund.receipt.outcome == .refunded)
    #expect(try await (scene.balance(alice), scene.balance(bob)) == (1_000_000, 1_000_000))
    try await scene.expectSound(minted: 2_000_000)
  }

  @Test func `a random history with lost answers loses nothing`() async throws {
    try await RandomHistory.run(Self.make, steps: Measure.isThorough ? 2000 : 500, seed: 13)
  }
}
