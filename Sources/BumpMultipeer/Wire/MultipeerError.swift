/// Why received bytes are not what the protocol allows, or why a link cannot go on. Errors are equal if their codes are.
public struct MultipeerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was not right. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case record, frame, order, protection }
    private let kind: Kind

    /// A record of a wrong length.
    public static let record = Code(kind: .record)
    /// A frame that is none of the protocol's, or with values out of bounds.
    public static let frame = Code(kind: .frame)
    /// A frame out of turn.
    public static let order = Code(kind: .order)
    /// A record that this link's key did not make.
    public static let protection = Code(kind: .protection)
  }

  /// What was wrong, for a program.
  public let code: Code
  /// What was wrong, for a person. It never repeats what a peer sent.
  public let reason: String

  /// Makes an error.
  public init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public var description: String { reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
