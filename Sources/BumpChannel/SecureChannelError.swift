/// Why the channel is of no use. Errors are equal if their codes are.
public struct SecureChannelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was not right. More may come: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable {
      case handshake, lowOrderKey, commitment, decryption, nonceExhausted, mac, offerMismatch, linkMAC
    }
    private let kind: Kind

    /// A handshake message of a wrong length, or out of turn.
    public static let handshake = Code(kind: .handshake)
    /// The key agreement gave zero: the peer sent a point of low order (RFC 7748 §6.1).
    public static let lowOrderKey = Code(kind: .lowOrderKey)
    /// The sender's key is not the one it committed to.
    public static let commitment = Code(kind: .commitment)
    /// A ciphertext that this session's key did not make.
    public static let decryption = Code(kind: .decryption)
    /// 2⁶⁴ − 1 messages were sent under one key.
    public static let nonceExhausted = Code(kind: .nonceExhausted)
    /// A claim whose mac is not valid.
    public static let mac = Code(kind: .mac)
    /// A claim other than the one that was offered.
    public static let offerMismatch = Code(kind: .offerMismatch)
    /// A link whose mac is not valid.
    public static let linkMAC = Code(kind: .linkMAC)
  }

  public let code: Code
  /// One sentence for a person.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
