/// A server's error code: five characters (PostgreSQL's documentation, appendix A).
public struct SQLState: Hashable, Sendable, CustomStringConvertible {
  /// The five characters; empty if the server sent no code.
  public let text: String

  /// Makes a code. Does not check that it has five characters.
  public init(_ text: String) {
    self.text = text
  }

  public var description: String { text }

  /// The class of the error: the first two characters.
  var kind: String { String(text.prefix(2)) }

  /// A value that must be unique is there already. `PostgresError.constraint` names the constraint.
  public static let uniqueViolation = SQLState("23505")
  /// A row does not meet a CHECK constraint. `PostgresError.constraint` names it.
  public static let checkViolation = SQLState("23514")
  /// The transaction conflicted with another and was rolled back: see `PostgresError.isTransient`.
  public static let serializationFailure = SQLState("40001")
  /// Transactions waited for each other, and this one was rolled back: see `PostgresError.isTransient`.
  public static let deadlockDetected = SQLState("40P01")
  /// The server's disk has no room for the change.
  public static let diskFull = SQLState("53100")
  /// A lock was not free within `lock_timeout`, or at once for NOWAIT.
  public static let lockNotAvailable = SQLState("55P03")
  /// The server is being shut down, or an administrator ended the connection.
  public static let adminShutdown = SQLState("57P01")
}
