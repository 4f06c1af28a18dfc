/// Why a conversation failed. Errors are equal if their codes are.
public struct MulticastDNSError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case unavailable, nameTaken, badName }
    private let kind: Kind

    /// Another process has UDP port 5353 exclusively, or sockets cannot be made.
    public static let unavailable = Code(kind: .unavailable)
    /// Another service, on this host or elsewhere on the link, has the name.
    public static let nameTaken = Code(kind: .nameTaken)
    /// Not a valid instance name (RFC 6763 §4.1.1).
    public static let badName = Code(kind: .badName)
  }

  /// The kind of failure, for a program.
  public let code: Code
  /// What failed, for a person.
  public let reason: String
  /// What to try, as a sentence; `nil` if the reason says it.
  public let remedy: String?

  private static let nameOfHolder = "`sudo ss -ulpn 'sport = :5353'` names that program"
  static let unavailable = Self(
    code: .unavailable, reason: "multicast DNS is not available: another program may hold UDP port 5353",
    remedy: nameOfHolder)
  /// Another process holds the port of one address family.
  static func held(_ family: Family) -> Self {
    Self(
      code: .unavailable, reason: "\(family.name) multicast DNS is not available: another program holds UDP port 5353",
      remedy: nameOfHolder)
  }
  static let nameTaken = Self(code: .nameTaken, reason: "another service has that name", remedy: "Choose another")
  static let badName = Self(
    code: .badName, reason: "a service name is 1 to 63 bytes without control characters", remedy: nil)

  init(_ error: PublishError) { self = error == .nameTaken ? .nameTaken : .badName }

  private init(code: Code, reason: String, remedy: String?) {
    self.code = code
    self.reason = reason
    self.remedy = remedy
  }

  /// The reason, and the remedy as a separate sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
