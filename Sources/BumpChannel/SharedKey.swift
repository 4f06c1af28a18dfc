public import BumpWire
import Crypto

/// A key of 32 bytes that both machines hold. Shared by many, it proves the group, not the person.
///
/// It prints as `<redacted>`, compares in constant time, and its storage is wiped when it goes.
public struct SharedKey: Hashable, Redacted, Sendable {
  public static let length = 32
  /// For a link's mac.
  let key: SymmetricKey

  /// `nil` unless there are 32 bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    key = SymmetricKey(data: bytes)
  }

  init(_ key: SymmetricKey) {
    self.key = key
  }

  /// The bytes themselves, for the key's file and the store: nowhere else.
  public var exposed: [UInt8] { key.withUnsafeBytes { Array($0) } }

  /// The first 8 bytes of HMAC-SHA256(key, `"bump/1 hint"` ‖ nonceR ‖ nonceS): whoever holds the key finds it by them.
  func hint(nonceR: [UInt8], nonceS: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Array("bump/1 hint".utf8) + nonceR + nonceS, using: key).prefix(8))
  }

  /// HKDF-SHA256(key, salt nonceR ‖ nonceS, info `"bump/1 psk key"`, 32 bytes).
  func psk(nonceR: [UInt8], nonceS: [UInt8]) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: nonceR + nonceS, info: Array("bump/1 psk key".utf8), outputByteCount: 32)
  }

  public func hash(into hasher: inout Hasher) { key.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
