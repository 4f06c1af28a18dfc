public import BumpClaims
import BumpSQLite
public import BumpVault
public import BumpWallet
import FoundationEssentials
import GRDB
import Glibc

/// A vault's store in one SQLite file.
///
/// Every change is on the disk when its call returns, and survives a power cut at that moment. Several processes may
/// share the file; each waits up to five seconds for another.
public final class SQLiteVaultStore: VaultStore {
  /// The absolute path of the file.
  public let path: String
  let queue: DatabaseQueue
  private let clock: @Sendable () -> Int64

  init(path: String, _ queue: DatabaseQueue, clock: @escaping @Sendable () -> Int64) {
    (self.path, self.queue, self.clock) = (path, queue, clock)
  }

  /// Returns the time of day, in whole seconds since 1970.
  @Sendable public static func timeOfDay() -> Int64 { Int64(time(nil)) }

  public func identity() async throws -> VaultIdentity { try await read { try $0.identity() } }

  public func rows(of claim: ClaimID) async throws -> ClaimRows {
    try await read { ClaimRows(now: $0.now, claim: try $0.claim(claim)) }
  }

  public func rows(of claim: ClaimID, from sender: Address) async throws -> DepositRows {
    try await read { try $0.deposit(claim, from: sender) }
  }

  public func claimID(of ledgerID: Bytes32) async throws -> ClaimID? {
    try await read { try $0.claimID(of: ledgerID) }
  }

  public func rows(ofMint id: Bytes32, of token: Address) async throws -> MintRows {
    try await read { MintRows(earlier: try $0.mint(id), minted: try $0.minted(token)) }
  }

  public func commit(_ change: Change) async throws -> Committed? {
    do {
      return try await write { try $0.carryOut(change) }
    } catch is Stale {
      return nil
    }
  }

  public func balances(of account: Address) async throws -> [Address: Int64] {
    try await read { try $0.balances(of: account) }
  }

  public func history(of account: Address, before number: Int64?, limit: Int) async throws -> [NumberedEntry] {
    try await read { try $0.history(of: account, before: number ?? .max, limit: limit) }
  }

  @discardableResult public func removeDrafts(lifetime: Int64) async throws -> Int {
    try await write { transaction in
      try transaction.database.execute(
        sql: "DELETE FROM claims WHERE status = 'none' AND draftedAt <= ?", arguments: [transaction.now - lifetime])
      return transaction.database.changesCount
    }
  }

  /// Seals, and then writes the mark by which a backup in place of the store is recognized.
  ///
  /// The mark is written after the commit: it must not name a batch that a power cut takes back. It is written under
  /// the store's lock, and names the last batch: of two processes, the slower one writes no older mark over a newer
  /// one.
  @discardableResult public func seal(limit: Int) async throws -> Batch? {
    // A server seals each second. Where there is nothing to seal, nothing is written: not even the time.
    guard try await read({ try !$0.unsealed(limit: 1).isEmpty }) else { return nil }
    guard let batch = try await write({ try $0.seal(limit: limit) }) else { return nil }
    try await write { [path] transaction in
      let reading = VaultReading(database: transaction.database, now: transaction.now)
      guard let last = try reading.lastBatch() else { throw DamagedRow() }
      try StoreMark(vault: try reading.identity().address, batch: last.number, hash: last.hash).write(beside: path)
    }
    return batch
  }

  public func batch(_ number: Int64) async throws -> SealedBatch? { try await read { try $0.batch(number) } }

  public func standing() async throws -> Standing { try await read { try $0.standing() } }

  /// Reads, even if the calling task is cancelled.
  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (VaultReading) throws -> Value
  ) async throws -> Value {
    try await ended { [queue, clock] in
      try await queue.read { database in
        try body(VaultReading(database: database, now: max(clock(), StoreClock.latest(in: database))))
      }
    }
  }

  /// Writes in one transaction, even if the calling task is cancelled. The transaction begins by taking the lock, so
  /// that its time is that of the change, and no other change comes between its reads and its writes.
  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (VaultTransaction) throws -> Value
  ) async throws -> Value {
    try await ended { [queue, clock] in
      try await queue.write { database in
        try body(VaultTransaction(database: database, now: StoreClock.advance(to: clock(), in: database)))
      }
    }
  }

  private func ended<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    do {
      return try await uncancelled(body)
    } catch let stale as Stale {
      throw stale
    } catch {
      throw VaultStoreError(storing: error, at: path)
    }
  }
}

/// The store's clock: the host's, but it never runs backwards.
enum StoreClock {
  static func latest(in database: Database) throws -> Int64 {
    try Int64.fetchOne(database.cachedStatement(sql: "SELECT latest FROM clock")) ?? 0
  }

  static func advance(to moment: Int64, in database: Database) throws -> Int64 {
    let latest = try latest(in: database)
    if moment > latest { try database.execute(sql: "UPDATE clock SET latest = ?", arguments: [moment]) }
    return max(moment, latest)
  }
}

extension VaultStoreError {
  /// Makes an error for a person from an error of SQLite or the system, without the values of a statement.
  init(storing error: any Error, at path: String, opening isOpening: Bool = false) {
    let store = "the vault's store \(path)"
    switch error {
    case let error as VaultStoreError: self = error
    case is DamagedRow, is RowDecodingError, is WalletError, is ClaimError:
      self.init(.damaged, "\(store) is damaged: a row in it is not what the vault has written")
    default:
      let failure = DatabaseFailure(error, of: store, opening: isOpening)
      self.init(isOpening && !failure.isBusy ? .unusable : .failed, failure.reason, remedy: failure.remedy)
    }
  }
}
