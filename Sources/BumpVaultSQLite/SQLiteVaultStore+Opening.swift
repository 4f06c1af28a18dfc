import BumpClaims
import BumpSQLite
import BumpThreads
public import BumpVault
import BumpWallet
import FoundationEssentials
import GRDB

extension SQLiteVaultStore {
  /// Opens a store, and makes it where there is none: the file with mode 0600, its directory with 0700, and in it the vault
  /// that is drawn.
  ///
  /// A vault's key and address are drawn for one file: that inode of that machine. A file that was copied, restored from a
  /// backup or moved to another file system is another inode. What cannot be told is a disk or a machine that was set back
  /// as a whole, or a file that was overwritten in place: whoever does that says `.copied`.
  ///
  /// - Parameters:
  ///   - provenance: what is known of a file that is not where its vault was made.
  ///   - clock: seconds since 1970. The store's own time never runs backwards, even where this does.
  ///   - draw: the vault of a new store.
  ///   - redraw: the vault of a copy.
  /// - Throws: `VaultStoreError.unusable`, `.copied`, `.damaged`.
  public static func open(
    at path: String, provenance: VaultProvenance = .original,
    clock: @escaping @Sendable () -> Int64 = SQLiteVaultStore.timeOfDay,
    draw: @escaping @Sendable () throws -> VaultIdentity = VaultIdentity.drawUSDC,
    redraw: @escaping @Sendable (VaultIdentity) throws -> VaultIdentity = { try $0.copied() }
  ) async throws -> SQLiteVaultStore {
    let path = DatabaseFile.absolute(path)
    do {
      let queue = try await onThread {
        let path = try DatabaseFile.prepare(path)
        let queue = try DatabaseQueue(path: path, configuration: .durable(journalLimit: 1_048_576))
        try queue.write { try settle($0, path, provenance, draw: draw, redraw: redraw) }
        return queue
      }
      return SQLiteVaultStore(path: path, queue, clock: clock)
    } catch {
      throw VaultStoreError(storing: error, at: path, opening: true)
    }
  }

  /// Makes a store of an empty file, or sees that this one is where its vault was made.
  private static func settle(
    _ database: Database, _ path: String, _ provenance: VaultProvenance, draw: () throws -> VaultIdentity,
    redraw: (VaultIdentity) throws -> VaultIdentity
  ) throws {
    let fingerprint = Data(try VaultFile.fingerprint(of: path))
    let isNew = try VaultSchema.isEmpty(database)
    guard try isNew || VaultSchema.isOurs(database) else {
      throw DatabaseFile.Failure("it is not a vault's store, or was changed")
    }
    if isNew {
      try VaultSchema.make(in: database)
      let identity = try draw()
      try write(identity, number: 1, in: database)
      for token in identity.vault.vault.tokens {
        try database.execute(
          sql: "INSERT INTO tokens (address, symbol, domainName, domainVersion) VALUES (?, ?, ?, ?)",
          arguments: [token.address.blob, token.token.description, token.domainName, token.domainVersion])
      }
      try database.execute(sql: "INSERT INTO clock VALUES (0)")
      try database.execute(sql: "INSERT INTO place VALUES (?)", arguments: [fingerprint])
      return
    }
    let isSame = try Data.fetchOne(database, sql: "SELECT fingerprint FROM place") == fingerprint
    switch provenance {
    case .original:
      guard isSame else {
        throw VaultStoreError(
          .copied, "the vault's store \(path) is not where it was made: it was copied, restored or moved",
          remedy: "Say that it was moved, if nothing was lost and the old file is gone. Else say that it is a copy")
      }
    case .moved: break
    case .copied:
      let reading = VaultReading(database: database, now: 0)
      let identity = try redraw(reading.identity())
      try database.execute(sql: "UPDATE vaults SET key = NULL")
      let number = try Int64.fetchOne(database, sql: "SELECT max(number) FROM vaults") ?? 0
      try write(identity, number: number + 1, in: database)
    }
    try database.execute(sql: "UPDATE place SET fingerprint = ?", arguments: [fingerprint])
  }

  private static func write(_ identity: VaultIdentity, number: Int64, in database: Database) throws {
    guard let chainID = Int64(exactly: identity.vault.vault.chainID) else { throw DamagedRow() }
    try database.execute(
      sql: "INSERT INTO vaults (number, chainId, address, key) VALUES (?, ?, ?, ?)",
      arguments: [number, chainID, identity.address.blob, Data(identity.key.exposed)])
  }
}
