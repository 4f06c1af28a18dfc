import BumpClaims
public import BumpPostgres
public import BumpVault
import BumpWallet

extension PostgresVaultStore {
  /// Opens the store in a database. If there is none, makes it: the schema `bump_vault` with a newly drawn vault.
  ///
  /// A vault's key and address are drawn for one database. The store recognizes it by its server's data directory (the
  /// system identifier and the timeline), and by the server's numbers for the database and for a table. At least one of
  /// these is different after a restored dump, a recovered backup, a promoted standby or an upgrade of the server. Then
  /// opening fails until the owner states what the database is, and a process that reconnects to such a database stops
  /// working. The store cannot recognize a data directory that was set back as a whole, such as by a snapshot of its
  /// disk, or rows that were overwritten in place: after that, open it as `.copied`.
  ///
  /// - Parameters:
  ///   - configuration: the server and the database. The user needs the right to make a schema in it, or to use an
  ///     empty one named `bump_vault`.
  ///   - size: the greatest number of connections.
  ///   - waitLimit: how long a request may wait for a connection.
  ///   - provenance: the owner's statement about a database that is not where its vault was made.
  ///   - makes: whether to make a store if there is none.
  ///   - mayLoseCommits: whether to accept a server that may lose commits in a power cut, such as a fast one for tests.
  ///     Otherwise it is refused.
  ///   - clock: adds this machine's time since boot to the server's time, which is in seconds since 1970. The store's
  ///     time never runs backwards, and does not follow a clock that jumps ahead: see `ClockAnchor`.
  ///   - delays: the clock for the delays between two checks of a commit whose answer was lost.
  ///   - draw: makes the vault of a new store.
  ///   - redraw: makes the vault of a copy.
  /// - Throws: `VaultStoreError.unusable`, `.copied`, `.damaged`.
  public static func open(
    _ configuration: PostgresConfiguration, size: Int = 8, waitLimit: Duration = .seconds(10),
    provenance: VaultProvenance = .original, makes: Bool = true, mayLoseCommits: Bool = false,
    clock: @escaping @Sendable (Int64) -> MachineTime = MachineTime.reading,
    delays: any Clock<Duration> = ContinuousClock(),
    draw: @escaping @Sendable () throws -> VaultIdentity = VaultIdentity.drawUSDC,
    redraw: @escaping @Sendable (VaultIdentity) throws -> VaultIdentity = { try $0.copied() }
  ) async throws -> PostgresVaultStore {
    let pool = PostgresPool(configuration.planned, size: size, waitLimit: waitLimit)
    do {
      let presence = try await pool.transaction { transaction in
        // If several processes open the database at the same time, one of them makes the tables.
        try await transaction.run(lockOpening)
        if !mayLoseCommits { try await Durability.check(transaction) }
        try await settle(transaction, provenance, makes: makes, draw: draw, redraw: redraw)
        return try await readPresence(transaction, clock)
      }
      return PostgresVaultStore(pool, presence, delays: delays)
    } catch {
      await pool.close()
      throw VaultStoreError(storing: error, opening: true)
    }
  }

  /// Opens a store for reading alone, wherever it is: neither its place nor anything else in it changes, and no server
  /// waits.
  ///
  /// - Throws: `VaultStoreError.unusable`, `.damaged`.
  public static func openForReading(
    _ configuration: PostgresConfiguration, size: Int = 2, waitLimit: Duration = .seconds(10)
  ) async throws -> PostgresVaultStore {
    let pool = PostgresPool(configuration.planned, size: size, waitLimit: waitLimit)
    do {
      let presence = try await pool.transaction(.repeatableRead) { transaction in
        try await transaction.run(script: "SET TRANSACTION READ ONLY")
        _ = try await VaultSchema.settle(transaction, makes: false)
        return try await readPresence(transaction, MachineTime.reading)
      }
      return PostgresVaultStore(pool, presence, delays: ContinuousClock())
    } catch {
      await pool.close()
      throw VaultStoreError(storing: error, opening: true)
    }
  }

  private static func readPresence(
    _ transaction: PostgresTransaction, _ clock: @escaping @Sendable (Int64) -> MachineTime
  ) async throws -> DatabaseGuard {
    let vault = try await VaultReading(transaction: transaction).vault()
    guard let row = try await transaction.run(DatabaseGuard.clockStatement).first else { throw DamagedRow() }
    return try DatabaseGuard(vault: vault, row, clock: clock)
  }

  /// Makes a store in an empty schema. Otherwise checks that the store is where its vault was made, or records its new
  /// place.
  private static func settle(
    _ transaction: PostgresTransaction, _ provenance: VaultProvenance, makes: Bool,
    draw: @Sendable () throws -> VaultIdentity, redraw: @Sendable (VaultIdentity) throws -> VaultIdentity
  ) async throws {
    if try await VaultSchema.settle(transaction, makes: makes) {
      let identity = try draw()
      try await write(identity, number: 1, transaction)
      for (number, token) in identity.vault.vault.tokens.enumerated() {
        try await transaction.run(
          writeToken, .int8(Int64(number)), token.address.value, .text(token.token.description),
          .text(token.domainName), .text(token.domainVersion))
      }
      try await transaction.run(writePlace)
      try await transaction.run(writeClock)
      return
    }
    let isSame = try await transaction.run(DatabaseGuard.statement).first?.value("is_here", as: Bool.self)
    switch provenance {
    case .original:
      guard isSame == true else { throw DatabaseGuard.elsewhere }
      return
    case .moved: break
    case .copied:
      let reading = VaultReading(transaction: transaction)
      let (identity, number) = (try redraw(await reading.identity()), try await reading.vault())
      try await transaction.run(forgetKeys)
      try await write(identity, number: number + 1, transaction)
    }
    try await transaction.run(removePlace)
    try await transaction.run(writePlace)
  }

  private static func write(_ identity: VaultIdentity, number: Int64, _ transaction: PostgresTransaction) async throws {
    guard let chainID = Int64(exactly: identity.vault.vault.chainID) else { throw DamagedRow() }
    try await transaction.run(
      writeVault, .int8(number), .int8(chainID), identity.address.value, .bytea(identity.key.exposed))
  }

  /// The number is `bump` in ASCII.
  private static let lockOpening = PostgresStatement(
    "vault_lock_opening", sql: "SELECT pg_advisory_xact_lock(x'62756d70'::int8)")

  private static let writeVault = PostgresStatement(
    "vault_write_vault", .int8, .int8, .bytea, .bytea,
    sql: "INSERT INTO bump_vault.vaults (number, chain_id, address, key) VALUES ($1, $2, $3, $4)")

  private static let writeToken = PostgresStatement(
    "vault_write_token", .int8, .bytea, .text, .text, .text,
    sql: """
      INSERT INTO bump_vault.tokens (number, address, symbol, domain_name, domain_version) VALUES ($1, $2, $3, $4, $5)
      """)

  private static let forgetKeys = PostgresStatement("vault_forget_keys", sql: "UPDATE bump_vault.vaults SET key = NULL")

  private static let removePlace = PostgresStatement("vault_remove_place", sql: "DELETE FROM bump_vault.place")

  /// The view `present` compares the same values.
  private static let writePlace = PostgresStatement(
    "vault_write_place",
    sql: """
      INSERT INTO bump_vault.place (system, database, relation, timeline)
      SELECT (SELECT system_identifier FROM pg_control_system()), oid::int8, 'bump_vault.place'::regclass::oid::int8,
        substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
      FROM pg_database WHERE datname = current_database()
      """)
}
