import BumpClaims
import Crypto

extension SharedKey {
  /// The first 8 bytes of HMAC-SHA256(key, `"bump/1 hint"` ‖ nonceR ‖ nonceS), by which a holder of several keys finds
  /// the right one.
  func hint(nonceR: [UInt8], nonceS: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Array("bump/1 hint".utf8) + nonceR + nonceS, using: key).prefix(8))
  }

  /// The first 8 bytes of HMAC-SHA256(key, `"bump/1 queued"` ‖ nonceR ‖ nonceS ‖ place).
  func tag(ofPlace place: UInt8, nonceR: [UInt8], nonceS: [UInt8]) -> [UInt8] {
    let input = Array("bump/1 queued".utf8) + nonceR + nonceS + [place]
    return Array(HMAC<SHA256>.authenticationCode(for: input, using: key).prefix(Queued.tagLength))
  }

  /// The first 8 bytes of HMAC-SHA256(key, `"bump/1 subtype"` ‖ hour) as a number, by which receivers find the senders
  /// that have the key. Without the key, nobody can tell which numbers of different hours belong to one key.
  ///
  /// - Parameter hour: the hour since 1970, eight bytes in the derivation.
  package func subtype(hour: UInt64) -> UInt64 {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: hour >> (56 - 8 * $0)) }
    return HMAC<SHA256>.authenticationCode(for: Array("bump/1 subtype".utf8) + bytes, using: key)
      .prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// HKDF-SHA256(key, salt nonceR ‖ nonceS, info `"bump/1 psk key"`, 32 bytes).
  func psk(nonceR: [UInt8], nonceS: [UInt8]) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: nonceR + nonceS, info: Array("bump/1 psk key".utf8), outputByteCount: 32)
  }
}
