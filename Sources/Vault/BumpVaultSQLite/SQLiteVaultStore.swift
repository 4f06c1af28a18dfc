public import BumpClaims
import BumpSQLite
import BumpSystem
public import BumpVault
public import BumpWallet
import FoundationEssentials
import GRDB
import Synchronization

/// A vault's store in one SQLite file with a write-ahead log.
///
/// Every change is on the disk when its call returns, and survives a power cut at that moment. Changes that wait at the
/// same time share a transaction. Reads do not wait for it. Several processes may share the file; each waits up to five
/// seconds for another that writes.
public final class SQLiteVaultStore: VaultStore {
  /// The absolute path of the file.
  public let path: String
  private let connections: VaultConnections
  private let clock: @Sendable () -> MachineTime
  private let looks: CallBatcher<ClaimID, ClaimRows>
  let changes: CallBatcher<Change, Committed?>

  init(path: String, _ connections: VaultConnections, clock: @escaping @Sendable () -> MachineTime) {
    (self.path, self.connections, self.clock) = (path, connections, clock)
    changes = CallBatcher { await ChangeWriter(writer: connections.writer, clock: clock).carryOut($0) }
    looks = CallBatcher { claims in
      do {
        return try await connections.reader.read { database in
          let reading = try VaultReading(database, clock())
          return claims.map { claim in Result { ClaimRows(time: reading.time, claim: try reading.claim(claim)) } }
        }
      } catch {
        return claims.map { _ in .failure(error) }
      }
    }
  }

  /// Copies the log to the file, and closes the file. Await all calls before: those that still wait for their turn fail,
  /// and so do later ones.
  ///
  /// If no other process has the file open, it is all there is of the store then, beside its mark.
  public func close() async { await onThread { [connections] in connections.close() } }

  /// The connection that writes.
  var writer: DatabaseQueue { connections.writer }

  public func identity() async throws -> VaultIdentity { try await read { try $0.identity() } }

  public func rows(of claim: ClaimID) async throws -> ClaimRows {
    // A call that has begun is completed, even if its task is cancelled.
    do { return try await looks(claim) } catch { throw VaultStoreError(storing: error, at: path) }
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
    do { return try await changes(change) } catch { throw VaultStoreError(storing: error, at: path) }
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
  @discardableResult public func seal(limit: Int) async throws -> Batch? {
    // A server seals each second. Where there is nothing to seal, nothing is written: not even the time.
    guard try await read({ try !$0.unsealed(limit: 1).isEmpty }) else { return nil }
    guard let batch = try await write({ try $0.seal(limit: limit) }) else { return nil }
    try await writeMark()
    return batch
  }

  /// Writes the mark, if there is a batch that it can name.
  ///
  /// The mark is written after the commit: it must not name a batch that a power cut takes back. It is written under
  /// the store's lock, and names the last batch: of two processes, the slower one writes no older mark over a newer
  /// one.
  private func writeMark() async throws {
    try await write { [path, connections] transaction in
      let reading = VaultReading(database: transaction.database, time: transaction.time)
      guard let last = try reading.lastBatch() else { return }
      try StoreMark(
        vault: try reading.identity().address, batch: last.number, hash: last.hash,
        generation: connections.generation.load(ordering: .relaxed)
      ).write(beside: path)
    }
  }

  public func batch(_ number: Int64) async throws -> SealedBatch? { try await read { try $0.batch(number) } }

  public func snapshot() async throws -> StoreSnapshot { try await read { try $0.snapshot() } }

  /// Writes the time, as every change does, and copies the log to the file, as far as nobody reads what is older. So the
  /// file alone lacks little, and a log that does not fit to it is recognized.
  public func keepTime() async throws {
    let next = try await write { try FileGeneration.advance(in: $0.database) }
    let isCopied = try await ended { [writer] in
      try await writer.writeWithoutTransaction { try $0.copyLog() }
    }
    guard isCopied else { return }
    connections.generation.max(next, ordering: .relaxed)
    try await writeMark()
  }

  @discardableResult public func confirmClock() async throws -> StoreTime {
    let clock = clock
    return try await write { transaction in
      let confirmed = ClockRecord(confirmed: clock(), notBefore: transaction.now)
      try StoreClock.write(confirmed, in: transaction.database)
      return confirmed.time(at: clock())
    }
  }

  /// Reads, even if the calling task is cancelled.
  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (VaultReading) throws -> Value
  ) async throws -> Value {
    try await ended { [connections, clock] in
      try await connections.reader.read { try body(VaultReading($0, clock())) }
    }
  }

  /// Writes in a transaction that is shared with nobody, even if the calling task is cancelled. The transaction begins by
  /// taking the lock, so that its time is that of the change, and no other change comes between its reads and its writes.
  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (VaultTransaction) throws -> Value
  ) async throws -> Value {
    try await ended { [writer, clock] in
      try await writer.write { database in
        try body(VaultTransaction(database: database, time: StoreClock.advance(to: clock(), in: database)))
      }
    }
  }

  private func ended<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    do {
      return try await uncancelled(body)
    } catch {
      throw VaultStoreError(storing: error, at: path)
    }
  }
}

extension VaultReading {
  /// - Parameter reading: the machine's clocks.
  init(_ database: Database, _ reading: MachineTime) throws {
    self.init(database: database, time: try StoreClock.read(in: database).time(at: reading))
  }
}

/// The record of the store's clock, in its table `clock`.
enum StoreClock {
  static func read(in database: Database) throws -> ClockRecord {
    guard let row = try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM clock")) else { throw DamagedRow() }
    return ClockRecord(
      latest: try row.decode(forColumn: "latest"),
      anchor: ClockAnchor(time: try row.decode(forColumn: "time"), uptime: try row.decode(forColumn: "uptime")),
      boot: try row.decode(forColumn: "boot"))
  }

  static func write(_ record: ClockRecord, in database: Database) throws {
    try database.execute(
      sql: "UPDATE clock SET latest = ?, time = ?, uptime = ?, boot = ?",
      arguments: [record.latest, record.anchor.time, record.anchor.uptime, record.boot])
  }

  static func advance(to reading: MachineTime, in database: Database) throws -> StoreTime {
    let record = try read(in: database)
    let advanced = record.advanced(to: reading)
    if advanced != record { try write(advanced, in: database) }
    return record.time(at: reading)
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
