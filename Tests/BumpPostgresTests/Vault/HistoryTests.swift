import BumpClaims
import BumpVault
import BumpWallet
import Foundation
import Lab
import Measures
import Synchronization
import Testing
import VaultContract

@testable import BumpPostgres
@testable import BumpVaultPostgres

/// A store whose server's processes are ended beside its commits: now one connection, now the whole server. Whoever asks
/// asks again, as a client does that had no answer.
private final class AttackedStore: VaultStore {
  private let store: any VaultStore
  private let commits = Mutex(0)
  private let attack: @Sendable (Int) async throws -> Void

  /// - Parameter attack: receives the number of the commit.
  init(_ store: any VaultStore, attack: @escaping @Sendable (Int) async throws -> Void) {
    (self.store, self.attack) = (store, attack)
  }

  private func again<Value>(_ body: () async throws -> Value) async throws -> Value {
    while true {
      do {
        return try await body()
      } catch let error as VaultStoreError where error.code == .failed {
        // The server recovers. How long that takes is its affair.
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  func commit(_ change: Change) async throws -> Committed? {
    let number = commits.withLock { count in
      count += 1
      return count
    }
    async let attacked: Void = attack(number)
    let committed = try await again { try await store.commit(change) }
    try await attacked
    return committed
  }

  func keepTime() async throws { try await again { try await store.keepTime() } }
  func confirmClock() async throws -> StoreTime { try await again { try await store.confirmClock() } }
  func identity() async throws -> VaultIdentity { try await again { try await store.identity() } }
  func rows(of claim: ClaimID) async throws -> ClaimRows { try await again { try await store.rows(of: claim) } }
  func rows(of claim: ClaimID, from sender: Address) async throws -> DepositRows {
    try await again { try await store.rows(of: claim, from: sender) }
  }
  func claimID(of ledgerID: Bytes32) async throws -> ClaimID? {
    try await again { try await store.claimID(of: ledgerID) }
  }
  func rows(ofMint id: Bytes32, of token: Address) async throws -> MintRows {
    try await again { try await store.rows(ofMint: id, of: token) }
  }
  func balances(of account: Address) async throws -> [Address: Int64] {
    try await again { try await store.balances(of: account) }
  }
  func history(of account: Address, before number: Int64?, limit: Int) async throws -> [NumberedEntry] {
    try await again { try await store.history(of: account, before: number, limit: limit) }
  }
  func removeDrafts(lifetime: Int64) async throws -> Int {
    try await again { try await store.removeDrafts(lifetime: lifetime) }
  }
  func seal(limit: Int) async throws -> Batch? { try await again { try await store.seal(limit: limit) } }
  func batch(_ number: Int64) async throws -> SealedBatch? { try await again { try await store.batch(number) } }
  func snapshot() async throws -> StoreSnapshot { try await again { try await store.snapshot() } }
}

extension PostgresTests.Vault {
  @Suite struct HistoryTests {
    private static let end = PostgresStatement(
      "end_one",
      sql: """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'vault' AND state <> 'idle' ORDER BY random() LIMIT 1
        """)
    private static let one = PostgresStatement(
      "one_of_them",
      sql: """
        SELECT pid::int8 AS process FROM pg_stat_activity WHERE application_name = 'vault'
        ORDER BY state = 'idle', random() LIMIT 1
        """)

    /// Ten thousand, as on the other stores, take some minutes here: each is several messages to another process, and after
    /// each kill the server recovers for a good part of a second.
    private static let steps =
      ProcessInfo.processInfo.environment["BUMP_VAULT_STEPS"].flatMap { Int($0) }
      ?? (Measure.isThorough ? 10_000 : 1000)

    @Test func `where connections are ended and processes of the server are killed meanwhile, nothing is lost`()
      async throws
    {
      try await PostgresCluster.with { cluster in
        try await VaultDatabase.with(cluster) { database in
          let admin = cluster.pool(2)
          let maker = StoreMaker { identity, clock in
            let store = try await database.open(machine: clock, identity: identity)
            return AttackedStore(store) { number in
              do {
                if number.isMultiple(of: 97) {
                  if let row = try await admin.run(Self.one).first {
                    try await cluster.kill(try row.decode("process"))
                  }
                } else if number.isMultiple(of: 3) {
                  try await admin.run(Self.end)
                }
              } catch is PostgresError {
                // It is the server that does not answer just now,
              } catch is UnknownOutcome {
              } catch is CommandFailed {
                // or the process has ended already.
              }
            }
          }
          try await RandomHistory.run(maker, steps: Self.steps, seed: 15)
          await admin.close()
        }
      }
    }
  }
}
