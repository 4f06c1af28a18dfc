import BumpClaims
import BumpSQLite
import BumpSystem
import BumpText
public import BumpVault
import BumpWallet
import FoundationEssentials
import GRDB

extension SQLiteVaultStore {
  /// Opens a store. If there is none, makes it: the file with mode 0600, its directory with 0700, and in it a newly
  /// drawn vault.
  ///
  /// A vault's key and address are drawn for one file: one inode of one machine. A file that was copied, restored from
  /// a backup or moved to another file system is another inode. A backup that was written over the file is recognized
  /// by the mark beside it (`-mark`), which contains the last sealed batch. The store cannot recognize a disk or a
  /// machine that was set back as a whole, or a mark that was set back with the file: after that, open it as `.copied`.
  ///
  /// - Parameters:
  ///   - provenance: the owner's statement about a file that is not where its vault was made.
  ///   - makes: whether to make a store if there is none.
  ///   - clock: reads the machine's clocks. The store's time never runs backwards, and does not follow a clock that
  ///     jumps ahead: see `ClockRecord`.
  ///   - draw: makes the vault of a new store.
  ///   - redraw: makes the vault of a copy.
  /// - Throws: `VaultStoreError.unusable`, `.copied`, `.outdated`, `.damaged`; `.failed` if another process holds the
  ///   file.
  public static func open(
    at path: String, provenance: VaultProvenance = .original, makes: Bool = true,
    clock: @escaping @Sendable () -> MachineTime = MachineTime.now,
    draw: @escaping @Sendable () throws -> VaultIdentity = VaultIdentity.drawUSDC,
    redraw: @escaping @Sendable (VaultIdentity) throws -> VaultIdentity = { try $0.copied() }
  ) async throws -> SQLiteVaultStore {
    let path = DatabaseFile.absolute(path)
    do {
      let connections = try await onThread {
        let path = try makes ? DatabaseFile.prepare(path) : DatabaseFile.checked(path)
        do {
          // Before anything is changed: what is refused is left as it is.
          try look(at: path) { _ = try check($0, path, provenance, $1, makes: makes) }
          let writer = try DatabaseQueue(
            path: path, configuration: .logged(checkpointAfter: VaultConnections.logPages))
          try writer.inDatabase { try $0.keepLog() }
          try writer.write { try settle($0, path, provenance, makes: makes, at: clock(), draw: draw, redraw: redraw) }
          // The log may still contain the key that the copy has lost. Otherwise it may remain, if the disk is full.
          if provenance == .copied {
            try writer.inDatabase { try $0.emptyLog() }
          } else {
            _ = try? writer.inDatabase { try $0.copyLog() }
          }
          return try VaultConnections(at: path, writer: writer)
        } catch let error as DatabaseError where error.isOfLog {
          throw DatabaseFile.Failure(
            "SQLite cannot keep a log beside it: \(error.message ?? error.resultCode.description)",
            remedy: DatabaseFile.remedyForLog)
        }
      }
      return SQLiteVaultStore(path: path, connections, clock: clock)
    } catch {
      throw VaultStoreError(storing: error, at: path, opening: true)
    }
  }

  /// Opens a store for reading alone, wherever it is: neither its place nor anything else in it changes. Where it can be
  /// written, SQLite makes files beside it, if no server runs: an empty log, and the memory that processes share.
  ///
  /// - Throws: `VaultStoreError.unusable`, `.outdated`, `.damaged`; `.failed` if another process holds the file.
  public static func openForReading(at path: String) async throws -> SQLiteVaultStore {
    let path = DatabaseFile.absolute(path)
    do {
      let reader = try await onThread {
        let path = try DatabaseFile.checked(path)
        return try look(at: path) { database, mark in
          guard try !VaultSchema.isEmpty(database) else { throw noVault }
          try VaultSchema.check(database)
          try checkMark(mark, of: path, VaultReading(database: database, time: StoreTime(now: 0, clock: 0)))
        }
      }
      return SQLiteVaultStore(path: path, VaultConnections(reader: reader), clock: MachineTime.now)
    } catch {
      throw VaultStoreError(storing: error, at: path, opening: true)
    }
  }

  private static let noVault = DatabaseFile.Failure("there is no vault in it")

  /// Reads a store by a connection that does not change its file, and returns the connection.
  ///
  /// The mark is read before the store: a server that runs meanwhile may seal a batch, and mark one that is not in what is
  /// read here.
  @discardableResult static func look(
    at path: String, _ body: (Database, StoreMark.Read) throws -> Void
  ) throws -> DatabaseQueue {
    let connection = try connection(to: path)
    let mark = StoreMark.Read { try StoreMark(beside: path) }
    try connection.read { try body($0, mark) }
    return connection
  }

  private static func connection(to path: String) throws -> DatabaseQueue {
    do {
      let connection = try DatabaseQueue(path: path, configuration: .readOnly)
      _ = try connection.read(VaultSchema.isEmpty)
      return connection
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      // A killed process left a journal that has to be rolled back before anything can be read.
      _ = try DatabaseQueue(path: path, configuration: .cautious).read(VaultSchema.isEmpty)
      return try DatabaseQueue(path: path, configuration: .readOnly)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
      // On a read-only mount nobody writes to the file, and without a log it is complete.
      guard try VaultFile.isUnchangeable(path) else { throw error }
      return try DatabaseQueue(path: VaultFile.immutable(path), configuration: .readOnly)
    }
  }

  /// Checks that a file is empty, or a store that may be opened where it is.
  ///
  /// - Returns: whether the file is empty.
  private static func check(
    _ database: Database, _ path: String, _ provenance: VaultProvenance, _ mark: StoreMark.Read, makes: Bool
  ) throws -> Bool {
    if try VaultSchema.isEmpty(database) {
      guard makes else { throw noVault }
      return true
    }
    try VaultSchema.check(database)
    let isSame = try Data.fetchOne(database, sql: "SELECT fingerprint FROM place") == fingerprint(of: path)
    let reading = VaultReading(database: database, time: StoreTime(now: 0, clock: 0))
    try provenance == .copied ? checkLog(mark, of: path, reading) : checkMark(mark, of: path, reading)
    guard isSame || provenance != .original else {
      throw VaultStoreError(
        .copied, "the vault's store \(path) is not where it was made: it was copied, restored or moved",
        remedy: "Say that it was moved, if nothing was lost and the old file is gone. Else say that it is a copy")
    }
    return false
  }

  private static func fingerprint(of path: String) throws -> Data { Data(try VaultFile.fingerprint(of: path)) }

  /// Makes a store in an empty file. Otherwise checks that the store is where its vault was made, or records its new
  /// place.
  private static func settle(
    _ database: Database, _ path: String, _ provenance: VaultProvenance, makes: Bool, at time: MachineTime,
    draw: () throws -> VaultIdentity, redraw: (VaultIdentity) throws -> VaultIdentity
  ) throws {
    let fingerprint = try fingerprint(of: path)
    // Under the store's lock, with which a server writes it.
    let mark = StoreMark.Read { try StoreMark(beside: path) }
    if try check(database, path, provenance, mark, makes: makes) {
      try VaultSchema.make(in: database)
      let identity = try draw()
      try write(identity, number: 1, in: database)
      for token in identity.vault.vault.tokens {
        try database.execute(
          sql: "INSERT INTO tokens (address, symbol, domainName, domainVersion) VALUES (?, ?, ?, ?)",
          arguments: [token.address.blob, token.token.description, token.domainName, token.domainVersion])
      }
      try database.execute(sql: "INSERT INTO clock VALUES (0, 0, 0, '')")
      try database.execute(sql: "INSERT INTO place VALUES (?)", arguments: [fingerprint])
      return
    }
    if provenance == .original { return }
    if provenance == .copied {
      let identity = try redraw(VaultReading(database: database, time: StoreTime(now: 0, clock: 0)).identity())
      try database.execute(sql: "UPDATE vaults SET key = NULL")
      let number = try Int64.fetchOne(database, sql: "SELECT max(number) FROM vaults") ?? 0
      try write(identity, number: number + 1, in: database)
    }
    try StoreClock.write(StoreClock.read(in: database).moved(to: time), in: database)
    try database.execute(sql: "UPDATE place SET fingerprint = ?", arguments: [fingerprint])
  }

  /// Checks that the journal has the batch of the mark beside the store, and that the file is no older than the mark.
  /// Ignores another vault's mark.
  static func checkMark(_ mark: StoreMark.Read, of path: String, _ reading: VaultReading) throws {
    guard let mark = try mark.get(), try mark.vault == reading.identity().address else { return }
    guard try reading.hash(ofBatch: mark.batch) == mark.hash, try !isOlder(path, than: mark) else {
      throw VaultStoreError(
        .outdated, "the vault's store \(path) lacks entries that were in it: a backup took its place",
        remedy: "Put the newer store back. If there is none, say that this one is a copy")
    }
  }

  /// Checks that a copy has no log of a newer file beside it, which would damage it.
  private static func checkLog(_ mark: StoreMark.Read, of path: String, _ reading: VaultReading) throws {
    guard
      VaultFile.hasLog(path), let mark = try? mark.get(),
      try mark.vault == reading.identity().address, try isOlder(path, than: mark)
    else { return }
    let log = VaultFile.log(of: path)
    throw DatabaseFile.Failure(
      "its log \(log) is of a newer store",
      remedy: "Remove it: \(ShellCommand.text(["rm", log, path + "-shm"]))")
  }

  private static func isOlder(_ path: String, than mark: StoreMark) throws -> Bool {
    try mark.generation > 0 && FileGeneration.read(of: path) < mark.generation
  }

  private static func write(_ identity: VaultIdentity, number: Int64, in database: Database) throws {
    guard let chainID = Int64(exactly: identity.vault.vault.chainID) else { throw DamagedRow() }
    try database.execute(
      sql: "INSERT INTO vaults (number, chainId, address, key) VALUES (?, ?, ?, ?)",
      arguments: [number, chainID, identity.address.blob, Data(identity.key.exposed)])
  }
}

extension DatabaseError {
  /// Whether SQLite could not make or share a file beside the database.
  fileprivate var isOfLog: Bool {
    resultCode == .SQLITE_CANTOPEN
      || [
        .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMLOCK, .SQLITE_IOERR_SHMMAP,
        .SQLITE_READONLY_CANTINIT, .SQLITE_READONLY_DIRECTORY,
      ].contains(extendedResultCode)
  }
}
