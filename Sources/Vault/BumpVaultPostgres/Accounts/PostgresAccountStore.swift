public import BumpPostgres
public import BumpSignIn
import BumpVault
import BumpWallet

/// A store of accounts in a schema of its own of a PostgreSQL database, for several processes at once.
///
/// Every change is on the server's disk when its call returns.
public final class PostgresAccountStore: AccountStore {
  let pool: PostgresPool

  private init(_ pool: PostgresPool) { self.pool = pool }

  /// Opens the store in a database. If there is none, makes it: the schema `bump_accounts`.
  ///
  /// - Parameters:
  ///   - configuration: the server and the database. The user needs the right to make a schema in it, or to use an empty
  ///     one named `bump_accounts`.
  ///   - keys: the keys with which its contents are hashed. They are not written to it.
  ///   - size: the greatest number of connections.
  ///   - waitLimit: how long a request may wait for a connection.
  ///   - mayLoseCommits: whether to accept a server that may lose commits in a power cut, such as a fast one for tests.
  /// - Throws: `AccountStoreError`: `.otherKeys` for a store that was made with other keys; `.unusable`, `.damaged`.
  public static func open(
    _ configuration: PostgresConfiguration, keys: AccountKeys, size: Int = 4, waitLimit: Duration = .seconds(10),
    mayLoseCommits: Bool = false
  ) async throws -> PostgresAccountStore {
    let pool = PostgresPool(configuration.planned, size: size, waitLimit: waitLimit)
    do {
      try await pool.transaction { transaction in
        // If several processes open the database at the same time, one of them makes the tables.
        try await transaction.run(lockOpening)
        if !mayLoseCommits { try await Durability.check(transaction) }
        try await AccountSchema.settle(transaction, keys)
      }
      return PostgresAccountStore(pool)
    } catch {
      await pool.close()
      throw AccountStoreError(storing: error, opening: true)
    }
  }

  /// Waits until the calls that have begun are completed, and closes the connections.
  public func close() async { await pool.close() }

  /// How many times a change is made at most. Another change of the same rows is rare: an operation locks what it is
  /// about.
  private static let attempts = 10

  public func change<Answer: Sendable>(
    _ selection: AccountSelection, _ operation: @escaping @Sendable (inout AccountRows) -> Answer
  ) async throws -> Answer {
    try await ended { store in
      for _ in 0..<Self.attempts {
        do {
          return try await store.pool.transaction(.readCommitted) { transaction in
            let transaction = AccountTransaction(transaction: transaction)
            let before = try await transaction.rows(selection, locks: true)
            var after = before
            let answer = operation(&after)
            try await transaction.write(AccountChanges(from: before, to: after))
            return answer
          }
        } catch is Stale {
          continue
        } catch let error as PostgresError where error.sqlState == .uniqueViolation {
          continue
        }
      }
      throw AccountStoreError(.failed, "the accounts in the database kept changing meanwhile", remedy: "Try again")
    }
  }

  public func rows(_ selection: AccountSelection) async throws -> AccountRows {
    try await ended { store in
      try await store.pool.transaction(.repeatableRead) {
        try await AccountTransaction(transaction: $0).rows(selection, locks: false)
      }
    }
  }

  @discardableResult public func removeLapsed(at now: Int64, _ limits: SignInLimits) async throws -> Int {
    try await ended { store in
      let rows = try await store.pool.run(
        AccountTransaction.removeLapsed, .int8(now), .int8(now - limits.sessionLifetime), .int8(now - limits.codeMemory)
      )
      guard let row = rows.first else { throw DamagedRow() }
      return Int(try row.value("count", as: Int64.self))
    }
  }

  /// The number is `bumq` in ASCII: that of the vault's store is `bump`.
  private static let lockOpening = PostgresStatement(
    "accounts_lock_opening", sql: "SELECT pg_advisory_xact_lock(x'62756d71'::int8)")

  /// Runs the body to its end, even if the calling task is cancelled.
  private func ended<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresAccountStore) async throws -> Value
  ) async throws -> Value {
    do {
      return try await Task { try await body(self) }.value
    } catch {
      throw AccountStoreError(storing: error)
    }
  }
}

extension AccountStoreError {
  /// Makes an error for a person from an error of the database, without the values of a statement.
  init(storing error: any Error, opening isOpening: Bool = false) {
    switch error {
    case let error as AccountStoreError: self = error
    case is DamagedRow:
      self.init(.damaged, "the database of accounts is damaged: a row in it is not what this program has written")
    default:
      let failure = DatabaseFailure(error, of: "the database of accounts", opening: isOpening)
      self.init(failure.isUnusable ? .unusable : .failed, failure.reason, remedy: failure.remedy)
    }
  }
}
