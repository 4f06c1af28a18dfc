/// Why discovery failed. Errors are equal if their codes are.
public struct DiscoveryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case unavailable, nameTaken, badServiceType, badTXTRecord, failed }
    private let kind: Kind

    /// No discovery service answers, or it went away.
    public static let unavailable = Code(kind: .unavailable)
    /// Another service on this host has that name.
    public static let nameTaken = Code(kind: .nameTaken)
    /// Not a service type by RFC 6335 §5.1.
    public static let badServiceType = Code(kind: .badServiceType)
    /// Not a TXT record by RFC 6763 §6.
    public static let badTXTRecord = Code(kind: .badTXTRecord)
    /// The service answered with an error of its own.
    public static let failed = Code(kind: .failed)
  }

  public let code: Code
  /// One sentence for a person: what failed, and what to try.
  public let description: String

  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
