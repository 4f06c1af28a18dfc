import BumpClaims
public import BumpText
import Crypto

/// The key of one shared card. It encrypts that card and nothing else.
public struct SharedCardKey: Hashable, Sendable, Redacted {
  let key: SymmetricKey

  /// Makes a key of 256 random bits, of the system's randomness.
  public init() {
    key = SymmetricKey(size: .bits256)
  }

  /// - Returns: `nil` unless there are 32 bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    key = SymmetricKey(data: bytes)
  }

  /// The key in base64url, for a link.
  var exposed: String { Base64.urlEncoded(key.withUnsafeBytes(Array.init)) }

  public func hash(into hasher: inout Hasher) { key.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
