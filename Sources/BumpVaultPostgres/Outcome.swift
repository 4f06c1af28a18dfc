import BumpPostgres
import BumpVault
import BumpWallet

/// What a transaction is about to commit, with the transaction's number: by it the server tells later what became of it.
struct Written<Value: Sendable>: Sendable {
  let value: Value
  /// As `pg_current_xact_id()` says it.
  let transaction: String
  /// The hash of a journal entry that it has written; `nil` where it moves no money.
  let entry: Bytes32?

  init(_ value: Value, by transaction: String, entry: Bytes32? = nil) {
    (self.value, self.transaction, self.entry) = (value, transaction, entry)
  }
}

/// Reads back whether a transaction was committed whose answer was lost.
///
/// Rows alone would not tell: the server may still be about to commit it, and who looked too early would be told that
/// nothing was locked, or that nobody was paid. Nor would the number alone: a server that crashes before it has written
/// anything of a transaction gives its number to another one afterwards.
struct Readback: Sendable {
  let pool: PostgresPool
  let presence: Presence
  let clock: any Clock<Duration>

  /// The delays between two looks, in all some twenty seconds: longer than a server takes to recover from a crash.
  static let delays =
    [10, 20, 40, 80, 160, 320].map(Duration.milliseconds) + Array(repeating: .milliseconds(500), count: 38)

  /// Waits until the server knows.
  ///
  /// - Parameters:
  ///   - transaction: its number.
  ///   - entry: the hash of a journal entry that it has written, if any.
  /// - Throws: `VaultStoreError.failed` where it does not for too long.
  func isCommitted(_ transaction: String, entry: Bytes32?) async throws -> Bool {
    var wasCommitted = false
    for delay in Self.delays {
      switch try await look(transaction, entry) {
      case .made: return true
      case .lost: return false
      // It may have been made just between the two looks of the first time, and not of the second.
      case .another where wasCommitted: return false
      case .another: wasCommitted = true
      case nil: try await clock.sleep(for: delay)
      }
    }
    throw VaultStoreError(
      .failed, "the connection to PostgreSQL ended in a commit, and whether that was made cannot be known yet",
      remedy: "Repeat the request once the server runs: nothing is done twice")
  }

  private enum Look {
    case made, lost
    /// The number is that of a transaction that was made, but the entry is not there.
    case another
  }

  /// - Returns: `nil` where the server does not know yet, or does not answer.
  private func look(_ transaction: String, _ entry: Bytes32?) async throws -> Look? {
    let rows: PostgresRows
    do {
      rows = try await pool.run(Self.status, .text(transaction), entry?.value ?? .null)
    } catch let error as PostgresError where error.code != .misuse && error.code != .closed {
      return nil
    } catch is UnknownOutcome {
      return nil
    }
    guard let row = rows.first else { throw DamagedRow() }
    // Another server counts its own transactions.
    _ = try presence.now(row)
    switch try row.optional("status", as: String.self) {
    case "committed": return try row.value("is_entered") ? .made : .another
    case "aborted": return .lost
    default: return nil
    }
  }

  private static let status = PostgresStatement(
    "vault_status", .text, .bytea,
    sql: """
      SELECT floor(extract(epoch FROM clock_timestamp()))::int8 AS now, present.*, pg_xact_status($1::xid8) AS status,
        $2::bytea IS NULL OR EXISTS (SELECT FROM bump_vault.journal WHERE hash = $2) AS is_entered
      FROM bump_vault.present
      """)
}
