/// What a vault on a chain tells its clients beside its description.
public struct ChainTerms: Hashable, Sendable {
  /// How many blocks something must have, its own among them, before it is said.
  public let confirmations: UInt64
  /// For how long the authorization of a deposit may be valid, in seconds.
  public let authorizationSeconds: Int64

  /// Makes terms of their values.
  public init(confirmations: UInt64, authorizationSeconds: Int64) {
    (self.confirmations, self.authorizationSeconds) = (confirmations, authorizationSeconds)
  }
}
