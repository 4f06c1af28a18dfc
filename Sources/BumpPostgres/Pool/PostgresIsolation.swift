/// The isolation level of a transaction (PostgreSQL's documentation, §13.2).
public enum PostgresIsolation: String, Sendable {
  case readCommitted = "READ COMMITTED"
  case repeatableRead = "REPEATABLE READ"
  case serializable = "SERIALIZABLE"
}
