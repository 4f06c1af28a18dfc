import BumpPostgres
import BumpVault

/// Writes in transactions. If the answer to a commit is lost, finds out whether the transaction was committed.
struct TransactionWriter: Sendable {
  let pool: PostgresPool
  let presence: DatabaseGuard
  let delays: any Clock<Duration>

  /// Runs a transaction.
  ///
  /// - Returns: `nil` if nothing was committed: the body had nothing to write, a condition did not hold, or the
  ///   transaction was lost.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (VaultTransaction) async throws -> Written<Value>?
  ) async throws -> Value? {
    let last = LastWritten<Value>()
    do {
      return try await pool.transaction(.readCommitted) { transaction in
        let written = try await body(VaultTransaction(transaction: transaction, presence: presence))
        last.set(written)
        return written?.value
      }
    } catch is Stale {
      return nil
    } catch is UnknownOutcome {
      guard let written = last.value else { return nil }
      let readback = Readback(pool: pool, presence: presence, clock: delays)
      return try await readback.isCommitted(written.transaction, row: written.row) ? written.value : nil
    }
  }

  /// How long a transaction that several claims share waits for a lock.
  static let sharedLockLimit = Duration.milliseconds(100)

  /// Settles claims in one transaction.
  ///
  /// No claim delays the others or makes them fail. If a claim's rows are locked for longer than is usual between
  /// vaults, if the database refuses one, or if one is damaged, each claim gets a transaction of its own.
  func settle(_ settlings: [Settling]) async -> [Result<Settled, any Error>] {
    do {
      let settled = try await write { try await $0.settle(settlings, lockLimit: Self.sharedLockLimit) }
      return settlings.indices.map { .success(.done(settled?[$0])) }
    } catch let error as PostgresError where error.isOfOneRow {
      return settlings.map { _ in .success(.apart) }
    } catch is DamagedRow {
      return settlings.map { _ in .success(.apart) }
    } catch {
      return settlings.map { _ in .failure(error) }
    }
  }
}

/// The result for one claim of a shared transaction.
enum Settled: Sendable {
  /// The change was carried out; `nil` if its condition did not hold.
  case done(Committed?)
  /// The transaction was rolled back, perhaps because of another claim. Try this claim again in a transaction of its
  /// own.
  case apart
}

extension PostgresError {
  /// Whether one row of several may be the cause: its lock, its values, or a constraint.
  fileprivate var isOfOneRow: Bool {
    sqlState == .lockNotAvailable || ["22", "23"].contains(sqlState?.text.prefix(2))
  }
}
