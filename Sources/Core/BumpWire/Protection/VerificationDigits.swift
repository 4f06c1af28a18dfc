import Crypto

/// Six digits for both people to compare. The digits differ if somebody is in the middle.
public struct VerificationDigits: Hashable, Sendable, CustomStringConvertible {
  /// The digits in two groups: `482 915`.
  public let description: String

  /// HKDF-SHA256(key h, no salt, info `"bump/1 digits"`, 4 bytes), big-endian, mod 1,000,000.
  init(handshakeHash h: [UInt8]) {
    let bytes = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: h), info: Array("bump/1 digits".utf8), outputByteCount: 4)
    let number = bytes.withUnsafeBytes { $0.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } } % 1_000_000
    let digits = String(number)
    let padded = String(repeating: "0", count: 6 - digits.utf8.count) + digits
    description = "\(padded.prefix(3)) \(padded.suffix(3))"
  }
}
