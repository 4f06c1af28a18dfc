import BumpClaims
public import BumpText
import Crypto

/// The key of one shared card. It encrypts only that card.
public struct SharedCardKey: Hashable, Sendable, Redacted {
  let key: SymmetricKey

  /// Makes a key of 256 random bits from the system's generator.
  public init() {
    key = SymmetricKey(size: .bits256)
  }

  /// Makes a key of 32 bytes; `nil` for any other number.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    key = SymmetricKey(data: bytes)
  }

  /// The key in base64url, for a link.
  var exposed: String { Base64.urlEncoded(key.withUnsafeBytes(Array.init)) }

  public func hash(into hasher: inout Hasher) { key.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
