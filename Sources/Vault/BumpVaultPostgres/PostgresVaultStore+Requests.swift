import BumpPostgres
import BumpVault

/// The requests of networks, which all servers of a vault count together in buckets that leak evenly. They are lost if
/// the database server crashes: they are not worth waiting for its disk.
extension PostgresVaultStore {
  /// Puts requests into a bucket, as many as there is room for.
  ///
  /// - Parameters:
  ///   - bucket: the bucket's key.
  ///   - most: the greatest number of requests.
  ///   - step: how long one request takes to leak out, in microseconds. A bucket holds a minute.
  /// - Returns: how many requests were put in, and how many microseconds the bucket takes to become empty.
  /// - Throws: `VaultStoreError`.
  public func takeRequests(
    from bucket: [UInt8], most: Int64, step: Int64
  ) async throws -> (count: Int64, level: Int64) {
    try await ended { store in
      let rows = try await store.pool.run(Self.takeRequests, .bytea(bucket), .int8(most), .int8(step))
      guard let row = rows.first else { throw DamagedRow() }
      return (try row.value("taken"), try row.value("level"))
    }
  }

  /// Removes the buckets that are empty, and those from before the clock was set back.
  ///
  /// - Throws: `VaultStoreError`.
  public func removeRequests() async throws {
    _ = try await ended { try await $0.pool.run(Self.removeRequests).affected }
  }

  /// The time of an existing bucket is read once its row is locked. A bucket that holds more than a minute is from
  /// before the clock was set back, and counts as empty.
  private static let takeRequests = PostgresStatement(
    "vault_take_requests", .bytea, .int8, .int8,
    sql: """
      INSERT INTO bump_vault.requests AS old (bucket, taken, time, empties)
      SELECT $1, taken, now, now + taken * $3
      FROM (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::int8 AS now) AS clock,
        (SELECT least($2, 60000000 / $3) AS taken) AS room
      ON CONFLICT (bucket) DO UPDATE SET (taken, time, empties) = (
        SELECT room.taken, now, filled + room.taken * $3
        FROM (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::int8 AS now) AS clock,
          LATERAL (
            SELECT CASE WHEN old.empties BETWEEN now AND now + 60000000 THEN old.empties ELSE now END AS filled
          ) AS bucket,
          LATERAL (SELECT least($2, (now + 60000000 - filled) / $3) AS taken) AS room)
      RETURNING taken, empties - time AS level
      """)

  private static let removeRequests = PostgresStatement(
    "vault_remove_requests",
    sql: """
      DELETE FROM bump_vault.requests
      WHERE NOT empties BETWEEN extract(epoch FROM clock_timestamp()) * 1000000
        AND extract(epoch FROM clock_timestamp()) * 1000000 + 60000000
      """)
}
