/// Why discovery failed. Errors are equal if their codes are.
public struct DiscoveryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case unavailable, nameTaken, badServiceType, badTXTRecord, failed }
    private let kind: Kind

    /// The backend does not answer, or has gone away.
    public static let unavailable = Code(kind: .unavailable)
    /// Another service has the instance name.
    public static let nameTaken = Code(kind: .nameTaken)
    /// Not a valid service type (RFC 6335 §5.1).
    public static let badServiceType = Code(kind: .badServiceType)
    /// Not a valid TXT record (RFC 6763 §6).
    public static let badTXTRecord = Code(kind: .badTXTRecord)
    /// The backend reported another error.
    public static let failed = Code(kind: .failed)
  }

  /// The kind of failure, for a program.
  public let code: Code
  /// What failed, for a person.
  public let reason: String
  /// What to try, as a sentence; `nil` if there is no remedy, or the reason says it.
  public let remedy: String?
  /// The error of the daemon or the stack below.
  public let underlying: (any Error)?

  /// Makes an error.
  public init(_ code: Code, _ reason: String, remedy: String? = nil, underlying: (any Error)? = nil) {
    self.code = code
    self.reason = reason
    self.remedy = remedy
    self.underlying = underlying
  }

  /// Wraps any error, unless it is a `DiscoveryError` already.
  package init(_ error: any Error) {
    self = error as? DiscoveryError ?? DiscoveryError(.failed, "discovery failed: \(error)", underlying: error)
  }

  /// The reason, and the remedy as a separate sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
