/// Why the opening of a session, or a claim in it, is not valid. The session cannot be used any more. Errors are equal
/// if their codes are.
public struct SecureChannelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable {
      case lowOrderKey, commitment, mac, offerMismatch
    }
    private let kind: Kind

    /// A CPace share is not an element of the group, or gives the identity.
    public static let lowOrderKey = Code(kind: .lowOrderKey)
    /// The sender's key is not the one it committed to.
    public static let commitment = Code(kind: .commitment)
    /// A claim whose MAC is not valid.
    public static let mac = Code(kind: .mac)
    /// A claim other than the one that was offered.
    public static let offerMismatch = Code(kind: .offerMismatch)
  }

  /// The kind of failure, for a program.
  public let code: Code
  /// What failed, for a person. It never repeats what a peer sent.
  public let reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public var description: String { reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
