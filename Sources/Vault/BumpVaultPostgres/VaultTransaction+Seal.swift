import BumpPostgres
import BumpVault
import BumpWallet

extension VaultTransaction {
  /// Seals entries that are committed but not sealed yet. Skips rows that another sealer has locked. If two sealers
  /// make a batch of the same number, the first one counts.
  ///
  /// - Returns: the batch; `nil` if there is nothing to seal.
  /// - Throws: `Stale` if another batch has the number.
  func seal(limit: Int) async throws -> Written<Batch>? {
    guard let row = try await transaction.run(Self.last).first else { throw DamagedRow() }
    let hashes = try await transaction.run(Self.takeUnsealed, .int8(Int64(limit))).map { try $0.bytes32("hash") }
    if hashes.isEmpty { return nil }
    let last = try row.optional("number", as: Int64.self).map { ($0, try row.bytes32("hash")) }
    let now = try presence.now(row, notBefore: row.optional("time") ?? 0)
    let batch = Batch(after: last, at: now, entries: hashes)
    let written = try await transaction.run(
      Self.writeBatch, .int8(batch.number), batch.previous.value, .int8(batch.time),
      .bytea(Array(hashes.map(\.bytes).joined())), batch.hash.value)
    guard let first = written.first else { throw Stale() }
    return Written(batch, by: try first.value("transaction"), row: .batch(batch.number, batch.hash))
  }

  private static let last = PostgresStatement(
    "vault_last_batch",
    sql: """
      SELECT floor(extract(epoch FROM clock_timestamp()))::int8 AS now, present.*, last.number, last.hash, last.time,
        CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END
      FROM bump_vault.present
        LEFT JOIN (SELECT * FROM bump_vault.batches ORDER BY number DESC LIMIT 1) AS last ON true
      """)

  static let takeUnsealed = PostgresStatement(
    "vault_take_unsealed", .int8,
    sql: """
      WITH taken AS (
        DELETE FROM bump_vault.unsealed WHERE number = ANY (ARRAY (
          SELECT number FROM bump_vault.unsealed ORDER BY number LIMIT $1 FOR UPDATE SKIP LOCKED))
        RETURNING number)
      SELECT hash FROM taken LEFT JOIN bump_vault.journal USING (number) ORDER BY number
      """)

  private static let writeBatch = PostgresStatement(
    "vault_write_batch", .int8, .bytea, .int8, .bytea, .bytea,
    sql: """
      INSERT INTO bump_vault.batches (number, previous, time, entries, hash) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT DO NOTHING RETURNING pg_current_xact_id()::text AS transaction
      """)
}
