public import BumpClaims

/// A claim made in this store, with its state.
public struct OutgoingClaim: Hashable, Sendable {
  /// The claim, with its secret.
  public let claim: Claim
  /// When the claim expires.
  public let expiry: Expiry
  /// The state of the claim's handover.
  public let state: HandoverState
  /// The receiver that the claim was released to; `nil` if there was none.
  public let peer: DisplayName?
  /// When the claim was made, in seconds since 1970.
  public let createdAt: Int64
  /// Until when the receiver may still take the claim, in seconds since 1970; `nil` if that has passed. Until then the
  /// claim, released or unknown, has no link, is not offered to another receiver, and cannot be settled.
  public internal(set) var deadline: Int64?
  /// When the owner settled the claim, in seconds since 1970; `nil` if the owner did not, or a receiver has answered
  /// since.
  public internal(set) var settledAt: Int64?

  /// Whether a receiver may still take the claim, so that it may be given to nobody else.
  public var isInFlight: Bool { deadline != nil }
}

/// A claim that was received and stored.
public struct IncomingClaim: Hashable, Sendable {
  /// The claim, with its secret.
  public let claim: Claim
  /// When the claim expires.
  public let expiry: Expiry
  /// The name that the sender gave itself; `nil` if the claim was received as a link.
  public let from: DisplayName?
  /// When the claim was stored, in seconds since 1970.
  public let receivedAt: Int64
}

/// One entry of the history: a claim that was sent or received.
public enum HistoryEntry: Hashable, Sendable {
  /// A claim made in this store or inserted into it, in any state: it may not have been handed over.
  case sent(OutgoingClaim)
  /// A claim that was received, by a bump or as a link.
  case received(IncomingClaim)
}
