public import BumpWire

/// A claim whose mac has been checked. Nothing but a check makes one.
public struct VerifiedClaim: Hashable, Sendable {
  /// Which mac it was, and so what is known of where the claim comes from.
  public enum Origin: Hashable, Sendable {
    /// A session's: the claim is from the end that this session was with, which calls itself so.
    case session(from: DisplayName)
    /// A link's, made with the claim's own secret: the link is intact; its origin is not proven.
    case link
    /// A link's, made with a key that we hold: whoever made it holds the key too.
    case linkOfKeyHolder
  }

  public let claim: Claim
  public let expiry: Expiry
  public let origin: Origin

  /// Who said they sent it; `nil` where it came as a link.
  public var from: DisplayName? { if case .session(let from) = origin { from } else { nil } }

  init(claim: Claim, expiry: Expiry, origin: Origin) {
    self.claim = claim
    self.expiry = expiry
    self.origin = origin
  }
}
