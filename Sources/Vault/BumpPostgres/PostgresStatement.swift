/// An SQL statement with its name and the types of its parameters.
///
/// A connection prepares the statement when it first runs it, and keeps it under its name. The SQL is a literal, so
/// every value must be a parameter: the text, which servers log, can contain neither an injection nor a secret.
public struct PostgresStatement: Sendable {
  /// The name, unique among the statements of a program.
  public let name: String
  /// One statement, with its parameters as `$1`, `$2` and so on.
  public let sql: StaticString
  /// The types of `$1`, `$2` and so on. NULL is a value of each type.
  public let parameters: [PostgresType]

  /// Makes a statement. A connection refuses a second one of the same name with other SQL.
  public init(_ name: String, _ parameters: PostgresType..., sql: StaticString) {
    self.name = name
    self.parameters = parameters
    self.sql = sql
  }

  /// Checks the number, types and size of the values.
  ///
  /// - Throws: `PostgresError` with code `misuse`.
  func check(_ values: [PostgresValue]) throws(PostgresError) {
    guard values.count == parameters.count else {
      throw PostgresError(.misuse, "the statement \(name) takes \(parameters.count) values, not \(values.count)")
    }
    for (number, (value, type)) in zip(values, parameters).enumerated() where value.type.map({ $0 != type }) ?? false {
      throw PostgresError(
        .misuse, "parameter \(number + 1) of the statement \(name) is of type \(type.rawValue), not \(value)")
    }
    guard values.reduce(0, { $0 + $1.bytes.count }) <= Self.maximumSize else {
      throw PostgresError(.misuse, "the values of the statement \(name) are longer than PostgreSQL takes, 1 GiB")
    }
  }

  /// The maximum length of a message, 1 GiB, less some room for the rest of the message.
  private static let maximumSize = 0x3FFF_FFFF - 1_000_000
}
