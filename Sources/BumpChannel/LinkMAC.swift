public import BumpWire
import Crypto

extension ClaimLink {
  /// The whole link, with the mac made with the claim's own secret.
  public var text: String { sealed(mac: Array(LinkMAC.make(self).prefix(Limits.linkMAC))) }
}

extension UnverifiedClaimLink {
  /// Checks the link's mac with the claim's own secret, which proves that nothing was garbled, and no more.
  ///
  /// - Throws: `SecureChannelError.linkMAC`.
  public func verify() throws -> VerifiedClaim {
    // SymmetricKey compares in constant time.
    guard SymmetricKey(data: mac) == SymmetricKey(data: LinkMAC.make(link).prefix(Limits.linkMAC)) else {
      throw SecureChannelError(.linkMAC, "the claim link is garbled; scan it again, or ask for a new one")
    }
    return VerifiedClaim(claim: link.claim, expiry: link.expiry, origin: .link)
  }
}

/// HMAC-SHA256(K, `"bump/1 link"` ‖ `00` ‖ the link up to but without `&m=`), with
/// K = HKDF-SHA256(key: the secret; salt: the claim id; info `"bump/1 link-mac"`; 32 bytes).
private enum LinkMAC {
  static func make(_ link: ClaimLink) -> [UInt8] {
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: link.claim.secret.asKey, salt: Array(link.claim.id.description.utf8),
      info: Array("bump/1 link-mac".utf8), outputByteCount: 32)
    let input = Array("bump/1 link".utf8) + [0] + Array(link.unsealed.utf8)
    return Array(HMAC<SHA256>.authenticationCode(for: input, using: key))
  }
}
