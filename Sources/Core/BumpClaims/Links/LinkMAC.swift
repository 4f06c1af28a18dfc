import Crypto

extension ClaimLink {
  /// The complete link, with a MAC made with the claim's own secret.
  public var text: String { text(key: nil) }

  /// Returns the complete link.
  ///
  /// - Parameter key: the key that makes the MAC, which proves to other holders of the key that a holder made the link;
  ///   `nil` for the claim's own secret.
  public func text(key: SharedKey?) -> String { sealed(mac: LinkMAC.make(self, key)) }
}

extension UnverifiedClaimLink {
  /// Verifies the link's MAC.
  ///
  /// - Parameter key: the key that must have made the MAC, which proves that a holder made the link; `nil` for the
  ///   claim's own secret, which proves only that the link is intact.
  /// - Throws: `ClaimError.linkMAC` if the MAC is not valid.
  public func verify(key: SharedKey? = nil) throws -> VerifiedClaim {
    // SymmetricKey compares in constant time.
    guard SymmetricKey(data: mac) == SymmetricKey(data: LinkMAC.make(link, key)) else {
      throw ClaimError(
        .linkMAC,
        "the claim link is garbled, or was \(key == nil ? "made with a key" : "not made with this key")",
        remedy: key == nil ? "Scan it again, or name the key" : nil)
    }
    return VerifiedClaim(claim: link.claim, expiry: link.expiry, origin: key == nil ? .link : .linkOfKeyHolder)
  }
}

/// The first 16 bytes of HMAC-SHA256(K, `"bump/1 link"` ‖ `00` ‖ the link without `&m=` and its mac), with
/// K = HKDF-SHA256(key: the shared key or the secret; salt: the claim id; info `"bump/1 link-mac"`; 32 bytes).
private enum LinkMAC {
  static func make(_ link: ClaimLink, _ key: SharedKey?) -> [UInt8] {
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key?.key ?? link.claim.secret.asKey, salt: Array(link.claim.id.description.utf8),
      info: Array("bump/1 link-mac".utf8), outputByteCount: 32)
    let input = Array("bump/1 link".utf8) + [0] + Array(link.unsealed.utf8)
    return Array(HMAC<SHA256>.authenticationCode(for: input, using: key).prefix(ClaimLimits.linkMAC))
  }
}
