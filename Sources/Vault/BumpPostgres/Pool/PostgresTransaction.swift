/// An open transaction. It runs one statement at a time, and ends with its closure.
public struct PostgresTransaction: Sendable {
  let connection: PostgresConnection
  let number: Int

  /// Runs a statement.
  ///
  /// - Parameter limit: the time limit; `nil` for the configuration's.
  /// - Throws: `PostgresError` or `CancellationError`. The transaction can only be rolled back after that.
  @discardableResult
  public func run(
    _ statement: PostgresStatement, _ values: PostgresValue..., within limit: Duration? = nil
  ) async throws -> PostgresRows {
    try await run(statement, values, within: limit)
  }

  /// Runs a statement with values that are in an array.
  @discardableResult
  public func run(
    _ statement: PostgresStatement, _ values: [PostgresValue], within limit: Duration? = nil
  ) async throws -> PostgresRows {
    try await connection.check(number)
    return try await connection.run(statement, values, within: limit)
  }

  /// Runs statements without parameters, such as CREATE TABLE. They must not end the transaction.
  ///
  /// - Throws: as `run` does.
  public func run(script: StaticString, within limit: Duration? = nil) async throws {
    try await connection.check(number)
    try await connection.run(script: "\(script)", named: "in a script", effect: .nothing, within: limit)
  }
}
