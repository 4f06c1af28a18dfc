/// A claim whose mac is valid. Only the checks of a mac make one.
public struct VerifiedClaim: Hashable, Sendable {
  /// Which mac was valid, and so what is known of the claim's origin.
  public enum Origin: Hashable, Sendable {
    /// The mac of a session: the claim is from the other end of that session, which has chosen this name.
    case session(from: DisplayName)
    /// The mac of a link, made with the claim's own secret: the link is intact, and its origin is unknown.
    case link
    /// The mac of a link, made with a shared key: a holder of that key made the link.
    case linkOfKeyHolder
  }

  /// The claim.
  public let claim: Claim
  /// When the claim expires.
  public let expiry: Expiry
  /// Where the claim comes from.
  public let origin: Origin

  /// The name that the sender chose; `nil` for a link.
  public var from: DisplayName? { if case .session(let from) = origin { from } else { nil } }

  package init(claim: Claim, expiry: Expiry, origin: Origin) {
    self.claim = claim
    self.expiry = expiry
    self.origin = origin
  }
}
