public import BumpWire
import Crypto

extension ClaimLink {
  /// The whole link, with the mac made with the claim's own secret.
  public var text: String { text(key: nil) }

  /// The whole link.
  ///
  /// - Parameter key: what the mac is made with, which proves who made the link to whoever holds the key too;
  ///   without it, the claim's own secret.
  public func text(key: SharedKey?) -> String { sealed(mac: LinkMAC.make(self, key)) }
}

extension UnverifiedClaimLink {
  /// Checks the link's mac.
  ///
  /// - Parameter key: where given, only a mac made with it is taken: it proves who made the link. Without it only one
  ///   made with the claim's own secret, which proves that nothing was garbled, and no more.
  /// - Throws: `SecureChannelError.linkMAC`.
  public func verify(key: SharedKey? = nil) throws -> VerifiedClaim {
    // SymmetricKey compares in constant time.
    guard SymmetricKey(data: mac) == SymmetricKey(data: LinkMAC.make(link, key)) else {
      throw SecureChannelError(
        .linkMAC,
        key == nil
          ? "the claim link is garbled, or was made with a key; scan it again, or name the key"
          : "the claim link is garbled, or was not made with this key")
    }
    return VerifiedClaim(claim: link.claim, expiry: link.expiry, origin: key == nil ? .link : .linkOfKeyHolder)
  }
}

/// The first 16 bytes of HMAC-SHA256(K, `"bump/1 link"` ‖ `00` ‖ the link up to but without `&m=`), with
/// K = HKDF-SHA256(key: the shared key or the secret; salt: the claim id; info `"bump/1 link-mac"`; 32 bytes).
private enum LinkMAC {
  static func make(_ link: ClaimLink, _ key: SharedKey?) -> [UInt8] {
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key?.key ?? link.claim.secret.asKey, salt: Array(link.claim.id.description.utf8),
      info: Array("bump/1 link-mac".utf8), outputByteCount: 32)
    let input = Array("bump/1 link".utf8) + [0] + Array(link.unsealed.utf8)
    return Array(HMAC<SHA256>.authenticationCode(for: input, using: key).prefix(Limits.linkMAC))
  }
}
