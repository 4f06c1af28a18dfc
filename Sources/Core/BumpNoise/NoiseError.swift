/// Why a Noise handshake or transport failed. It cannot be used any more. Errors are equal if their codes are.
public struct NoiseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable { case handshake, lowOrderKey, decryption, nonceExhausted }
    private let kind: Kind

    /// A handshake message of a wrong length, or out of order.
    public static let handshake = Code(kind: .handshake)
    /// The key agreement gave zero: the peer sent a point of low order (RFC 7748 §6.1).
    public static let lowOrderKey = Code(kind: .lowOrderKey)
    /// A ciphertext that this session's key did not make.
    public static let decryption = Code(kind: .decryption)
    /// 2⁶⁴ − 1 messages were sent under one key.
    public static let nonceExhausted = Code(kind: .nonceExhausted)
  }

  /// The kind of failure, for a program.
  public let code: Code
  /// What failed, for a person. It never repeats what a peer sent.
  public let reason: String

  init(_ code: Code, _ reason: String) {
    (self.code, self.reason) = (code, reason)
  }

  public var description: String { reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
