import BumpPostgres
import BumpVault

/// Writes in transactions, and finds out what became of one where the answer to its commit is lost.
struct Writing: Sendable {
  let pool: PostgresPool
  let presence: Presence
  let delays: any Clock<Duration>

  /// - Returns: `nil` where nothing was committed: the body had nothing to write, a condition did not hold, or the
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
      return try await readback.isCommitted(written.transaction, entry: written.entry) ? written.value : nil
    }
  }

  /// How long a transaction that several claims share waits for a lock.
  static let sharedLockLimit = Duration.milliseconds(100)

  /// Settles claims in one transaction.
  ///
  /// None keeps the others waiting or fails them: where somebody else holds one's rows for longer than is usual between
  /// vaults, or the database refuses one, each has a transaction of its own.
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

/// What became of a claim in a transaction that it shared.
enum Settled: Sendable {
  /// What it left behind; `nil` where nothing was changed.
  case done(Committed?)
  /// The transaction was rolled back, perhaps for another's sake: it is to be tried in one of its own.
  case apart
}

extension PostgresError {
  /// Whether the cause may be one row of several: its lock, its values, or a constraint.
  fileprivate var isOfOneRow: Bool {
    sqlState == .lockNotAvailable || ["22", "23"].contains(sqlState?.text.prefix(2))
  }
}
