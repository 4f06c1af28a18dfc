extension PostgresPool {
  /// The maximum number of tries of a transaction that conflicts with others.
  public static let maximumTries = 10

  private static let backoff = Backoff(first: .milliseconds(10), longest: .seconds(1))

  /// Runs a transaction. Commits when the closure returns, rolls back when it throws.
  ///
  /// The closure runs again, at most `maximumTries` times in all, when the server rolled the transaction back because
  /// of another one (SQLSTATE 40001 and 40P01). So it must do nothing but run statements.
  ///
  /// Cancelling the task ends the transaction until COMMIT is sent, but not after that.
  ///
  /// - Throws: what the closure throws; `PostgresError`, after which nothing was committed; or `UnknownOutcome` if the
  ///   connection ended during COMMIT.
  @discardableResult
  public func transaction<Result: Sendable>(
    _ isolation: PostgresIsolation = .readCommitted,
    _ body: @Sendable (PostgresTransaction) async throws -> Result
  ) async throws -> Result {
    for number in 0..<Self.maximumTries - 1 {
      if case .done(let result) = try await attempt(isolation, repeats: true, body) { return result }
      try await clock.sleep(for: Self.backoff.delay(after: number, chance()))
    }
    guard case .done(let result) = try await attempt(isolation, repeats: false, body) else {
      preconditionFailure("the last try ends or throws")
    }
    return result
  }

  private enum Attempt<Result> { case done(Result), again }

  /// - Parameter repeats: whether to return `again` instead of throwing an error that is transient.
  private func attempt<Result: Sendable>(
    _ isolation: PostgresIsolation, repeats: Bool, _ body: @Sendable (PostgresTransaction) async throws -> Result
  ) async throws -> Attempt<Result> {
    let connection = try await lease()
    do {
      let number = await connection.begin(isolation)
      let result = try await body(PostgresTransaction(connection: connection, number: number))
      try await connection.commit()
      await giveBack(connection)
      return .done(result)
    } catch {
      await connection.rollBack()
      // The closure may have replaced the server's error by its own.
      let refusal = await connection.firstRefusal
      await giveBack(connection)
      if repeats, !(error is UnknownOutcome), !(error is CancellationError), refusal?.isTransient ?? false {
        return .again
      }
      throw error
    }
  }
}
