import BumpClaims
import BumpSQLite
import BumpSystem
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
      let queue = try await onThread {
        let path = try makes ? DatabaseFile.prepare(path) : DatabaseFile.checked(path)
        let queue = try DatabaseQueue(path: path, configuration: .durable(journalLimit: 1_048_576))
        try queue.write { try settle($0, path, provenance, makes: makes, at: clock(), draw: draw, redraw: redraw) }
        return queue
      }
      return SQLiteVaultStore(path: path, queue, clock: clock)
    } catch {
      throw VaultStoreError(storing: error, at: path, opening: true)
    }
  }

  /// Opens a store for reading alone, wherever it is: neither its place nor anything else in it changes.
  ///
  /// - Throws: `VaultStoreError.unusable`, `.outdated`, `.damaged`; `.failed` if another process holds the file.
  public static func openForReading(at path: String) async throws -> SQLiteVaultStore {
    let path = DatabaseFile.absolute(path)
    do {
      let queue = try await onThread {
        let path = try DatabaseFile.checked(path)
        let queue = try DatabaseQueue(path: path, configuration: .durable(journalLimit: 1_048_576))
        try queue.read { database in
          guard try !VaultSchema.isEmpty(database) else { throw DatabaseFile.Failure("there is no vault in it") }
          try VaultSchema.check(database)
          try checkMark(beside: path, VaultReading(database: database, time: StoreTime(now: 0, clock: 0)))
        }
        return queue
      }
      return SQLiteVaultStore(path: path, queue, clock: MachineTime.now)
    } catch {
      throw VaultStoreError(storing: error, at: path, opening: true)
    }
  }

  /// Makes a store in an empty file. Otherwise checks that the store is where its vault was made, or records its new
  /// place.
  private static func settle(
    _ database: Database, _ path: String, _ provenance: VaultProvenance, makes: Bool, at time: MachineTime,
    draw: () throws -> VaultIdentity, redraw: (VaultIdentity) throws -> VaultIdentity
  ) throws {
    let fingerprint = Data(try VaultFile.fingerprint(of: path))
    let isNew = try VaultSchema.isEmpty(database)
    if !isNew { try VaultSchema.check(database) }
    if isNew {
      guard makes else { throw DatabaseFile.Failure("there is no vault in it") }
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
    let isSame = try Data.fetchOne(database, sql: "SELECT fingerprint FROM place") == fingerprint
    let reading = VaultReading(database: database, time: StoreTime(now: 0, clock: 0))
    if provenance != .copied { try checkMark(beside: path, reading) }
    switch provenance {
    case .original:
      guard isSame else {
        throw VaultStoreError(
          .copied, "the vault's store \(path) is not where it was made: it was copied, restored or moved",
          remedy: "Say that it was moved, if nothing was lost and the old file is gone. Else say that it is a copy")
      }
    case .moved: break
    case .copied:
      let identity = try redraw(reading.identity())
      try database.execute(sql: "UPDATE vaults SET key = NULL")
      let number = try Int64.fetchOne(database, sql: "SELECT max(number) FROM vaults") ?? 0
      try write(identity, number: number + 1, in: database)
    }
    if provenance != .original { try StoreClock.write(StoreClock.read(in: database).moved(to: time), in: database) }
    try database.execute(sql: "UPDATE place SET fingerprint = ?", arguments: [fingerprint])
  }

  /// Checks that the journal has the batch of the mark beside the store. Ignores another vault's mark.
  private static func checkMark(beside path: String, _ reading: VaultReading) throws {
    guard let mark = try StoreMark(beside: path), try mark.vault == reading.identity().address else { return }
    guard try reading.hash(ofBatch: mark.batch) == mark.hash else {
      throw VaultStoreError(
        .outdated, "the vault's store \(path) lacks entries that were in it: a backup took its place",
        remedy: "Put the newer store back. If there is none, say that this one is a copy")
    }
  }

  private static func write(_ identity: VaultIdentity, number: Int64, in database: Database) throws {
    guard let chainID = Int64(exactly: identity.vault.vault.chainID) else { throw DamagedRow() }
    try database.execute(
      sql: "INSERT INTO vaults (number, chainId, address, key) VALUES (?, ?, ?, ?)",
      arguments: [number, chainID, identity.address.blob, Data(identity.key.exposed)])
  }
}
