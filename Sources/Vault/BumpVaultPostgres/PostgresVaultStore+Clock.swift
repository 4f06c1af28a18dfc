import BumpPostgres
public import BumpVault

extension PostgresVaultStore {
  public func keepTime() async throws { try await write(Self.keepTime) { try $0.presence.now($1) } }

  @discardableResult public func confirmClock() async throws -> StoreTime {
    try await write(Self.confirmClock) { $0.presence.clock(try $1.value("now")).clock }
    return try await currentTime()
  }

  /// Writes a time, and this machine's time since boot, by which the next server that is started on it measures.
  private func write(
    _ statement: PostgresStatement, _ time: @escaping @Sendable (PostgresVaultStore, PostgresRow) throws -> Int64
  ) async throws {
    try await ended { store in
      guard let row = try await store.pool.run(DatabaseGuard.statement).first else { throw DamagedRow() }
      let reading = store.presence.clock(try row.value("now"))
      try await store.pool.run(statement, .int8(time(store, row)), .int8(reading.uptime), .text(reading.boot))
    }
  }

  /// The row of a store in which nothing was written yet.
  static let writeClock = PostgresStatement(
    "vault_write_clock", sql: "INSERT INTO bump_vault.clock (latest, confirmed, uptime, boot) VALUES (0, 0, 0, '')")

  private static let keepTime = PostgresStatement(
    "vault_keep_time", .int8, .int8, .text,
    sql: "UPDATE bump_vault.clock SET latest = $1, uptime = $2, boot = $3 WHERE latest <= $1")

  private static let confirmClock = PostgresStatement(
    "vault_confirm_clock", .int8, .int8, .text,
    sql: """
      UPDATE bump_vault.clock
      SET latest = greatest(latest, $1), confirmed = greatest(confirmed, $1), uptime = $2, boot = $3
      """)
}
