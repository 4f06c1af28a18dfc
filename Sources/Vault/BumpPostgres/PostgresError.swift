/// The reason why a call to the database failed. Errors are equal if their codes and SQLSTATEs are.
///
/// After this error nothing was committed. A failure whose outcome is unknown is an `UnknownOutcome` instead.
public struct PostgresError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case cannotConnect, connectionLost, timedOut, refused, busy, closed, misuse }
    private let kind: Kind

    /// No server answered, or the server rejected the login.
    public static let cannotConnect = Code(kind: .cannotConnect)
    /// The connection ended before the answer.
    public static let connectionLost = Code(kind: .connectionLost)
    /// The time limit of a statement passed before the answer.
    public static let timedOut = Code(kind: .timedOut)
    /// The server answered with an error, whose code is `PostgresError.sqlState`.
    public static let refused = Code(kind: .refused)
    /// No connection of the pool became free in time.
    public static let busy = Code(kind: .busy)
    /// The pool has been closed.
    public static let closed = Code(kind: .closed)
    /// A programming error, such as a column that does not exist or a value of another type.
    public static let misuse = Code(kind: .misuse)
  }

  /// The kind of failure, which `==` compares together with `sqlState`.
  public let code: Code
  /// The server's error code; `nil` if the error is not the server's.
  public let sqlState: SQLState?
  /// The constraint that was violated; `nil` for other errors.
  public let constraint: String?
  /// What happened, for a person. It contains no value of a statement or a row.
  public let reason: String
  /// What to try, as a sentence; `nil` if the reason says it.
  public let remedy: String?

  init(
    _ code: Code, _ reason: String, remedy: String? = nil, sqlState: SQLState? = nil, constraint: String? = nil
  ) {
    self.code = code
    self.sqlState = sqlState
    self.constraint = constraint
    self.reason = reason
    self.remedy = remedy
  }

  /// The reason, followed by the remedy as its own sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  /// Whether the server rolled the transaction back because of another transaction. Running it again may succeed.
  public var isTransient: Bool { sqlState == .serializationFailure || sqlState == .deadlockDetected }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code && left.sqlState == right.sqlState }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(sqlState)
  }
}

/// A commit whose outcome is unknown: the connection ended after the commit was requested and before the answer.
///
/// Read the data back before you answer anybody.
public struct UnknownOutcome: Error, Sendable, CustomStringConvertible {
  /// Why the answer is missing: a `PostgresError`, or a `CancellationError`.
  public let cause: any Error

  public var description: String {
    let reason = (cause as? PostgresError)?.reason ?? "the task was cancelled"
    return "it is unknown whether PostgreSQL committed: \(reason). Read the data back before you go on."
  }
}
