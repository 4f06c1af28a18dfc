public import BumpWire

/// A claim of ours, as the store knows it.
public struct OutgoingClaim: Hashable, Sendable {
  /// How many draws of digits a claim is good for, over all its bumps in mode open.
  public static let draws = Draws.maximum

  public let claim: Claim
  public let expiry: Expiry
  public let state: ClaimState
  /// Who it was released to, where it was to somebody.
  public let peer: DisplayName?
  /// When it was made, in seconds since 1970.
  public let createdAt: Int64
  /// While it is released: until when its receiver's answer may come, in seconds since 1970.
  public internal(set) var deadline: Int64?
  /// How many draws of digits were reserved for the bump that begins: by `create` or `offerAgain`. A claim that was
  /// merely read has none.
  public internal(set) var reservedDraws = 0
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
