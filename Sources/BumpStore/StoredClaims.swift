public import BumpClaims

/// A claim of ours, as the store knows it.
public struct OutgoingClaim: Hashable, Sendable {
  /// How many draws of digits a claim is good for, over all its bumps in mode open.
  public static let draws = ClaimLimits.draws

  public let claim: Claim
  public let expiry: Expiry
  public let state: HandoverState
  /// Who it was released to, where it was to somebody.
  public let peer: DisplayName?
  /// When it was made, in seconds since 1970.
  public let createdAt: Int64
  /// Until when the receiver that it was released to may still take it, in seconds since 1970; `nil` once that is past.
  /// Until then it has no link, is not offered to anybody else, and is not settled, be it released or unknown.
  public internal(set) var deadline: Int64?
  /// When its owner settled what became of it, in seconds since 1970; `nil` where nobody did, or a receiver's answer said so.
  public internal(set) var settledAt: Int64?
  /// How many draws of digits were reserved for the bump that begins: by `create` or `offerAgain`. A claim that was
  /// merely read has none.
  public internal(set) var reservedDraws = 0
  /// Which reservation that is: the store gives its draws to one bump.
  var reservation: Int64 = 0

  /// Whether a receiver may still take it, so that nobody else may be given it.
  public var isInFlight: Bool { deadline != nil }
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
