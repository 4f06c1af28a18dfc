import BumpPostgres
import BumpVault

/// Checks, whenever the store reads or writes, that the database is still the one for which its vault was drawn, and
/// returns the store's time.
struct Presence: Sendable {
  /// The number of the vault whose key this process has.
  let vault: Int64
  /// Converts the server's time to the store's, both in seconds since 1970.
  let clock: @Sendable (Int64) -> Int64

  /// Returns the store's time. It never runs backwards: it is at least that of the journal's last entry.
  ///
  /// - Parameters:
  ///   - row: a row with `now`, the server's time, and the columns of the view `present`.
  ///   - earliest: the time of the preceding change.
  /// - Throws: `VaultStoreError.copied`.
  func now(_ row: PostgresRow, notBefore earliest: Int64 = 0) throws -> Int64 {
    guard try row.value("is_here"), try row.value("vault") == vault else { throw Self.elsewhere }
    return max(clock(try row.value("now")), try row.value("latest"), earliest)
  }

  static let elsewhere = VaultStoreError(
    .copied, "the vault's database is not where it was made: it was copied, restored or moved, or its server replaced",
    remedy: "Say that it was moved, if nothing was lost and the old one is gone. Else say that it is a copy")

  static let statement = PostgresStatement(
    "vault_present",
    sql: "SELECT floor(extract(epoch FROM clock_timestamp()))::int8 AS now, present.* FROM bump_vault.present")
}
