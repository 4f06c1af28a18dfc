package import BumpChain
package import BumpPostgres
import BumpVault

/// The store of a vault on a chain in a schema of its own of a PostgreSQL database, for several processes at once.
///
/// Every change is on the server's disk when its call returns.
package final class PostgresChainStore: ChainTables {
  package let vault: DeployedVault
  let pool: PostgresPool

  private init(_ vault: DeployedVault, _ pool: PostgresPool) { (self.vault, self.pool) = (vault, pool) }

  /// Opens the store in a database. If there is none, makes it: the schema `bump_chain`.
  ///
  /// - Parameters:
  ///   - configuration: the server and the database. The user needs the right to make a schema in it, or to use an empty
  ///     one named `bump_chain`.
  ///   - size: the greatest number of connections.
  ///   - waitLimit: how long a request may wait for a connection.
  ///   - mayLoseCommits: whether to accept a server that may lose commits in a power cut, such as a fast one for tests.
  /// - Throws: `ChainStoreError`: `.otherVault` for the store of another contract; `.unusable`, `.damaged`.
  package static func open(
    _ configuration: PostgresConfiguration, of vault: DeployedVault, size: Int = 4,
    waitLimit: Duration = .seconds(10), mayLoseCommits: Bool = false
  ) async throws -> PostgresChainStore {
    let pool = PostgresPool(configuration.planned, size: size, waitLimit: waitLimit)
    do {
      try await pool.transaction { transaction in
        // If several processes open the database at the same time, one of them makes the tables.
        _ = try await ChainRowTable(transaction: transaction).lock()
        if !mayLoseCommits { try await Durability.check(transaction) }
        try await ChainSchema.settle(transaction, vault)
      }
      return PostgresChainStore(vault, pool)
    } catch {
      await pool.close()
      throw ChainStoreError(storing: error, opening: true)
    }
  }

  /// Waits until the calls that have begun are completed, and closes the connections.
  package func close() async { await pool.close() }

  package func run(_ operation: ChainOperation) async throws -> ChainRows {
    do {
      return try await Task { [self] in try await committed(operation) }.value
    } catch {
      throw ChainStoreError(storing: error)
    }
  }

  /// Carries an operation out. If the answer to its commit was lost, carries it out again: it waits for the lock until the
  /// server has committed the first, or rolled it back, and finds what that has written.
  private func committed(_ operation: ChainOperation) async throws -> ChainRows {
    do {
      return try await once(operation)
    } catch is UnknownOutcome {
      return try await once(operation)
    }
  }

  private func once(_ operation: ChainOperation) async throws -> ChainRows {
    // What is read without the lock is as of one moment.
    try await pool.transaction(operation.writes ? .readCommitted : .repeatableRead) { [vault] transaction in
      let table = ChainRowTable(transaction: transaction)
      let now = operation.writes ? try await table.lock() : try await table.time()
      var rows = ChainRows(vault, now: now)
      var asked: Set<ChainQuery> = []
      while true {
        let questions = try operation.questions(rows, asked: asked)
        if questions.isEmpty { break }
        for question in questions {
          let found = try await table.answer(question)
          rows.take(found)
        }
        asked.formUnion(questions)
      }
      try operation.change(&rows)
      if operation.writes { try await table.write(rows) }
      return rows
    }
  }
}

extension ChainStoreError {
  /// Makes an error for a person from an error of the database, without the values of a statement.
  init(storing error: any Error, opening isOpening: Bool = false) {
    switch error {
    case let error as ChainStoreError: self = error
    case is DamagedRow: self = .damagedRow
    default:
      let failure = DatabaseFailure(error, of: "the database of the vault on a chain", opening: isOpening)
      self.init(failure.isUnusable ? .unusable : .failed, failure.reason, remedy: failure.remedy)
    }
  }
}
