/// The isolation level of a transaction (PostgreSQL's documentation, §13.2).
public enum PostgresIsolation: String, Sendable {
  /// Each statement sees what was committed before it began.
  case readCommitted = "READ COMMITTED"
  /// All statements see what was committed before the first one. Changing a row that another transaction has changed
  /// since fails with SQLSTATE 40001.
  case repeatableRead = "REPEATABLE READ"
  /// The result is as if transactions ran one after the other, or one of them fails with SQLSTATE 40001.
  case serializable = "SERIALIZABLE"
}
