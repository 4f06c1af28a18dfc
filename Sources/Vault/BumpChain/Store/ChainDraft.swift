public import BumpClaims
public import BumpWallet

/// A claim's public id and terms, as they were told before any money was sent.
public struct ChainDraft: Hashable, Sendable {
  /// The id by which clients ask for the claim.
  public let claimID: ClaimID
  /// The claim's terms.
  public let terms: ClaimTerms
  /// When it was told, in seconds since 1970; or the time of a block behind which a reorganization took the claim's
  /// deposit back, if that is later. It lapses some time after that, unless something became of it.
  public let since: Int64

  /// Makes a draft.
  public init(claimID: ClaimID, terms: ClaimTerms, since: Int64) {
    (self.claimID, self.terms, self.since) = (claimID, terms, since)
  }
}
