public import BumpClaims
import GRDB

/// Links: those of claims made in this store, and those by which claims are received.
extension ClaimStore {
  /// Releases a claim for its link, durably, before anybody sees the link.
  ///
  /// The state of an unknown claim does not change, and its link is only for its receiver. While a receiver may still
  /// take the claim, and once it was delivered, there is no link. The expiry is not checked.
  ///
  /// - Parameter base: the beginning of the link.
  /// - Throws: `ClaimError.link` for a bad base, `StoreError`. Then nothing was changed.
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

  /// Returns the claims made in this store whose links may still be used, the latest expiry first: those whose links
  /// were shown, and those that were settled as lost, whose links may have been shown for one receiver.
  ///
  /// - Parameter limit: the greatest number of claims to return.
  /// - Throws: `StoreError`.
  public func claimsWithLinks(limit: Int, at now: ClockReading = .now()) async throws -> [OutgoingClaim] {
    try await read { database in
      try Row.fetchAll(database, sql: Self.linksQuery, arguments: [now.unix, limit])
        .map { try OutgoingClaim($0, at: now) }
    }
  }

  static let linksQuery = """
    SELECT * FROM outgoing WHERE expiry > ? AND state IN ('linkShown', 'lost') ORDER BY expiry DESC, rowid DESC LIMIT ?
    """

  /// Verifies a link without a key, then with each remembered key: the sender of a link does not know under which name
  /// it is remembered here.
  ///
  /// - Returns: the claim, and the name whose key made the link's MAC; `nil` if no key was used.
  /// - Throws: `ClaimError.linkMAC` if none of these made the MAC, `StoreError`.
  public func verify(_ link: UnverifiedClaimLink) async throws -> (claim: VerifiedClaim, madeBy: DisplayName?) {
    if let claim = try? link.verify() { return (claim, nil) }
    for name in try await rememberedNames() {
      guard let key = try await key(of: name, for: .incoming) else { continue }
      if let claim = try? link.verify(key: key) { return (claim, name) }
    }
    return (try link.verify(), nil)
  }
}
