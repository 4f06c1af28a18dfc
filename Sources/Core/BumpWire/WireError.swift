/// Why received bytes violate the protocol. Errors are equal if their codes are.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case offer, frame, message }
    private let kind: Kind

    /// Not the only encoding of an OFFER's JSON.
    public static let offer = Code(kind: .offer)
    /// A frame that is not due, or of a wrong length.
    public static let frame = Code(kind: .frame)
    /// Not a valid `Message`.
    public static let message = Code(kind: .message)
  }

  /// The kind of failure, for a program.
  public let code: Code
  /// What is wrong, for a person. It never repeats what a peer sent.
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
