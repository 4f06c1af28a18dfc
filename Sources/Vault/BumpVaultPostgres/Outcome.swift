import BumpClaims
import BumpPostgres
import BumpVault
import BumpWallet

/// The result of a transaction that is about to be committed, with the transaction's number, by which the server later
/// reports whether it was, and a row that is there if it was.
struct Written<Value: Sendable>: Sendable {
  let value: Value
  /// The transaction's number, from `pg_current_xact_id()`.
  let transaction: String
  let row: WrittenRow

  init(_ value: Value, by transaction: String, row: WrittenRow) {
    (self.value, self.transaction, self.row) = (value, transaction, row)
  }
}

/// A row that a transaction wrote.
enum WrittenRow: Sendable {
  /// The journal's entry with this hash.
  case entry(Bytes32)
  /// The claim with this id and ledger id, a draft at that time.
  case draft(ClaimID, Bytes32)
  /// The batch with this number and hash.
  case batch(Int64, Bytes32)

  /// The parameters of the statement that looks for the row.
  fileprivate var values: (hash: PostgresValue, claim: PostgresValue, batch: PostgresValue) {
    switch self {
    case .entry(let hash): (hash.value, .null, .null)
    case .draft(let id, let ledgerID): (ledgerID.value, id.value, .null)
    case .batch(let number, let hash): (hash.value, .null, .int8(number))
    }
  }
}

/// Finds out whether a transaction was committed if the answer was lost.
///
/// Rows alone do not show it. The server may still be about to commit, and a client that looked too early would learn
/// that nothing was locked, or that nobody was paid. The number alone does not show it either: a server that crashes
/// before it has written anything of a transaction later gives its number to another one.
struct Readback: Sendable {
  let pool: PostgresPool
  let presence: DatabaseGuard
  let clock: any Clock<Duration>

  /// The delays between checks, in all some twenty seconds: longer than a server takes to recover from a crash.
  static let delays =
    [10, 20, 40, 80, 160, 320].map(Duration.milliseconds) + Array(repeating: .milliseconds(500), count: 38)

  /// Waits until the server knows whether the transaction was committed.
  ///
  /// - Parameters:
  ///   - transaction: the transaction's number.
  ///   - row: a row that the transaction wrote.
  /// - Throws: `VaultStoreError.failed` if the server does not know for too long, and `.copied`.
  func isCommitted(_ transaction: String, row: WrittenRow) async throws -> Bool {
    var wasCommitted = false
    for delay in Self.delays {
      switch try await look(transaction, row) {
      case .made: return true
      case .lost: return false
      // The first check may have looked for the row just before the commit and at the status just after. The second
      // cannot have.
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
    /// A transaction of this number was committed, but the row does not exist.
    case another
  }

  /// Checks once.
  ///
  /// - Returns: `nil` if the server does not know yet, or does not answer.
  private func look(_ transaction: String, _ written: WrittenRow) async throws -> Look? {
    let rows: PostgresRows
    let values = written.values
    do {
      rows = try await pool.run(Self.status, .text(transaction), values.hash, values.claim, values.batch)
    } catch let error as PostgresError where error.code != .misuse && error.code != .closed {
      return nil
    } catch is UnknownOutcome {
      return nil
    }
    guard let row = rows.first else { throw DamagedRow() }
    // Another server has transaction numbers of its own.
    _ = try presence.now(row)
    switch try row.optional("status", as: String.self) {
    case "committed": return try row.value("is_there") ? .made : .another
    case "aborted": return .lost
    default: return nil
    }
  }

  static let status = PostgresStatement(
    "vault_status", .text, .bytea, .text, .int8,
    sql: """
      SELECT floor(extract(epoch FROM clock_timestamp()))::int8 AS now, present.*, pg_xact_status($1::xid8) AS status,
        EXISTS (SELECT FROM bump_vault.journal WHERE hash = $2)
          OR EXISTS (SELECT FROM bump_vault.claims WHERE claim_id = $3 AND ledger_id = $2)
          OR EXISTS (SELECT FROM bump_vault.batches WHERE number = $4 AND hash = $2) AS is_there
      FROM bump_vault.present
      """)
}
