/// A claim whose MAC is valid. Only the verification of a MAC makes one.
public struct VerifiedClaim: Hashable, Sendable {
  /// Which MAC was valid, and so what is known about the claim's origin.
  public enum Origin: Hashable, Sendable {
    /// The MAC of a session: the claim is from the other end of that session, which gave itself this name.
    case session(from: DisplayName)
    /// The MAC of a link, made with the claim's own secret: the link is intact, and its origin is unknown.
    case link
    /// The MAC of a link, made with a shared key: a holder of that key made the link.
    case linkOfKeyHolder
  }

  /// The claim.
  public let claim: Claim
  /// When the claim expires.
  public let expiry: Expiry
  /// The origin of the claim.
  public let origin: Origin

  /// The name that the sender gave itself; `nil` for a link.
  public var from: DisplayName? { if case .session(let from) = origin { from } else { nil } }

  package init(claim: Claim, expiry: Expiry, origin: Origin) {
    self.claim = claim
    self.expiry = expiry
    self.origin = origin
  }
}
