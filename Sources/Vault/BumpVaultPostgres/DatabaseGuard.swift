import BumpPostgres
import BumpVault
import Synchronization

/// Checks, whenever the store reads or writes, that the database is still the one for which its vault was drawn, and
/// returns the store's time.
final class DatabaseGuard: Sendable {
  private struct Trust {
    var anchor: ClockAnchor
    /// The last time that an operator has confirmed, in seconds since 1970.
    var confirmed: Int64
  }

  /// The number of the vault whose key this process has.
  let vault: Int64
  /// Adds this machine's time since boot to the server's time, in seconds since 1970.
  let clock: @Sendable (Int64) -> MachineTime
  /// This process measures the time by its own machine, since a server of PostgreSQL does not tell its time since boot.
  private let trust: Mutex<Trust>

  /// - Parameter row: a row of `clockStatement`, read when the store is opened.
  init(vault: Int64, _ row: PostgresRow, clock: @escaping @Sendable (Int64) -> MachineTime) throws {
    (self.vault, self.clock) = (vault, clock)
    let reading = clock(try row.value("now"))
    let (latest, kept): (Int64, Int64) = (try row.value("latest"), try row.value("kept"))
    let anchor =
      if latest == 0 {
        // Nothing was written yet: there is nothing to compare the clock with, and nothing that could expire.
        ClockAnchor(time: reading.clock, uptime: reading.uptime)
      } else if kept > 0, try !reading.boot.isEmpty && row.value("boot") == reading.boot {
        // This machine wrote the time last, and was not started anew since: it has measured the time in between.
        ClockAnchor(time: kept, uptime: try row.value("uptime"))
      } else {
        ClockAnchor(time: latest, uptime: reading.uptime)
      }
    trust = Mutex(Trust(anchor: anchor, confirmed: try row.value("confirmed")))
  }

  /// Returns the store's time. It never runs backwards: it is at least that of the journal's last entry.
  ///
  /// - Parameters:
  ///   - row: a row with `now`, the server's time, and the columns of the view `present`.
  ///   - earliest: the time of the preceding change.
  /// - Throws: `VaultStoreError.copied`.
  func time(_ row: PostgresRow, notBefore earliest: Int64 = 0) throws -> StoreTime {
    guard try row.value("is_here"), try row.value("vault") == vault else { throw Self.elsewhere }
    let (latest, confirmed): (Int64, Int64) = (try row.value("latest"), try row.value("confirmed"))
    let reading = clock(try row.value("now"))
    return trust.withLock { trust in
      // Every server reads this row again and again, and so learns of a confirmation soon after it.
      if confirmed > trust.confirmed {
        trust = Trust(anchor: ClockAnchor(time: confirmed, uptime: reading.uptime), confirmed: confirmed)
      }
      return trust.anchor.time(at: reading, notBefore: max(latest, earliest))
    }
  }

  /// Returns the proven time of `time(_:notBefore:)`, in seconds since 1970.
  func now(_ row: PostgresRow, notBefore earliest: Int64 = 0) throws -> Int64 {
    try time(row, notBefore: earliest).now
  }

  static let elsewhere = VaultStoreError(
    .copied, "the vault's database is not where it was made: it was copied, restored or moved, or its server replaced",
    remedy: "Say that it was moved, if nothing was lost and the old one is gone. Else say that it is a copy")

  static let statement = PostgresStatement(
    "vault_present",
    sql: "SELECT floor(extract(epoch FROM clock_timestamp()))::int8 AS now, present.* FROM bump_vault.present")

  /// The row by which a process begins to measure the time.
  static let clockStatement = PostgresStatement(
    "vault_clock",
    sql: """
      SELECT floor(extract(epoch FROM clock_timestamp()))::int8 AS now, present.*, clock.latest AS kept, uptime, boot
      FROM bump_vault.present CROSS JOIN bump_vault.clock
      """)
}
