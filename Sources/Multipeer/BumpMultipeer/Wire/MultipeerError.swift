/// An error of the protocol: received bytes that it does not allow. Errors with the same code are equal.
public struct MultipeerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. More kinds may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case record, frame, order, protection }
    private let kind: Kind

    /// A record of a length that is not allowed.
    public static let record = Code(kind: .record)
    /// A frame that is unknown, or has values out of bounds.
    public static let frame = Code(kind: .frame)
    /// A frame out of turn.
    public static let order = Code(kind: .order)
    /// A record that was not sealed with this link's key.
    public static let protection = Code(kind: .protection)
  }

  /// The kind of the error, for a program.
  public let code: Code
  /// The reason, for a person. It never repeats bytes that a peer sent.
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
