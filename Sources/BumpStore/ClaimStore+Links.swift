public import BumpClaims
import GRDB

/// Links: those of claims of ours, and those by which others are received.
extension ClaimStore {
  /// Releases a claim for its link, durably, before anybody sees the link.
  ///
  /// An unknown claim stays unknown, and its link is for its receiver alone. While a receiver may still take the claim, and
  /// once it was delivered, there is no link. Whether the claim has expired is not looked at.
  ///
  /// - Parameter base: what the link begins with.
  /// - Throws: `ClaimError.link` for a bad base, `StoreError`; then nothing was changed.
  public func showLink(
    of id: ClaimID, base: String = ClaimLink.defaultBase, at now: ClockReading = .now()
  ) async throws -> LinkResult {
    try ClaimLink.check(base: base)
    return try await write { database in
      guard let claim = try Self.outgoing(id, at: now, database) else { return .missing }
      let link = try ClaimLink(base: base, claim: claim.claim, expiry: claim.expiry)
      switch claim.state {
      case .new, .linkShown, .lost:
        try database.execute(
          sql: "UPDATE outgoing SET state = 'linkShown', peer = NULL, settledAt = NULL WHERE claimId = ?",
          arguments: [id.description])
        return .shown(link, claim)
      case .unknown where !claim.isInFlight:
        return .shownToReceiver(link, claim)
      case .released, .unknown, .delivered:
        return .withheld(claim)
      }
    }
  }

  /// Verifies a link without a key, and then with each key that is remembered: the sender of a link does not know by which
  /// name it is remembered here.
  ///
  /// - Returns: the claim, and the name whose key the link's mac was made with; `nil` where it was made without a key.
  /// - Throws: `ClaimError.linkMAC` where the mac is none of theirs, `StoreError`.
  public func verify(_ link: UnverifiedClaimLink) async throws -> (claim: VerifiedClaim, madeBy: DisplayName?) {
    if let claim = try? link.verify() { return (claim, nil) }
    for name in try await rememberedNames() {
      if let key = try await key(of: name), let claim = try? link.verify(key: key) { return (claim, name) }
    }
    return (try link.verify(), nil)
  }
}
