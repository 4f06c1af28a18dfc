import CPostgreSQL

extension PostgresConnection {
  /// Begins a transaction. The server learns of it with the first statement.
  ///
  /// - Returns: the transaction's number, for `check`.
  func begin(_ isolation: PostgresIsolation) -> Int {
    firstRefusal = nil
    transactionNumber += 1
    unsentBegin = "BEGIN ISOLATION LEVEL \(isolation.rawValue)"
    return transactionNumber
  }

  /// Commits the transaction. Cancelling the task does not interrupt it, so that the outcome becomes known.
  ///
  /// - Throws: `UnknownOutcome` if the answer is missing; the server's error if the server rolled back.
  func commit() async throws {
    transactionNumber += 1
    // Nothing was run.
    if unsentBegin != nil {
      unsentBegin = nil
      return
    }
    let tag = try await run(script: "COMMIT", named: "COMMIT", effect: .commits, isCancellable: false)
    // After an error within the transaction COMMIT answers ROLLBACK.
    guard tag == "COMMIT" else {
      throw firstRefusal ?? PostgresError(.refused, "PostgreSQL rolled the transaction back")
    }
  }

  /// Rolls back the open transaction, if any. If that fails, closes the connection.
  func rollBack() async {
    transactionNumber += 1
    unsentBegin = nil
    guard let link, !link.isIdle else { return }
    do {
      try await run(script: "ROLLBACK", named: "ROLLBACK", effect: .nothing, isCancellable: false)
    } catch {
      close()
    }
  }

  /// Checks that a transaction is still open.
  ///
  /// - Throws: `PostgresError` with code `misuse`.
  func check(_ number: Int) throws {
    guard number == transactionNumber else {
      throw PostgresError(.misuse, "the transaction is over", remedy: "Await its statements within its closure")
    }
  }
}
