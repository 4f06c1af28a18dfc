/// A server's error code: five characters (PostgreSQL's documentation, appendix A).
public struct SQLState: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  public init(_ text: String) {
    self.text = text
  }

  public var description: String { text }

  /// The class of the error: the first two characters.
  var kind: String { String(text.prefix(2)) }

  public static let uniqueViolation = SQLState("23505")
  public static let checkViolation = SQLState("23514")
  public static let serializationFailure = SQLState("40001")
  public static let deadlockDetected = SQLState("40P01")
  public static let diskFull = SQLState("53100")
  public static let lockNotAvailable = SQLState("55P03")
  public static let adminShutdown = SQLState("57P01")
}
