public import BumpWire

/// A claim of ours, as the store knows it.
public struct OutgoingClaim: Hashable, Sendable {
  public let claim: Claim
  public let expiry: Expiry
  public let state: ClaimState
  /// Who it was released to, where it was to somebody.
  public let peer: DisplayName?
  /// When it was made, in seconds since 1970.
  public let createdAt: Int64
}

/// A claim that was received, as the store knows it.
public struct IncomingClaim: Hashable, Sendable {
  public let claim: Claim
  public let expiry: Expiry
  /// Who said they sent it; `nil` where it came as a link.
  public let from: DisplayName?
  /// When it was stored, in seconds since 1970.
  public let receivedAt: Int64
}

/// One line of the history: what was sent or received.
public enum HistoryEntry: Hashable, Sendable {
  case sent(OutgoingClaim)
  case received(IncomingClaim)
}
