public import BumpClaims
import GRDB

/// Links: those of claims made in this store, and those by which claims are received.
extension ClaimStore {
  /// Releases a claim for its link, durably, before anybody sees the link.
  ///
  /// The state of an unknown claim does not change, and its link is only for its receiver. While a receiver may still
  /// take the claim, once it was delivered, and once its money is being taken back, there is no link. The expiry is not
  /// checked.
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
      if try Self.forbidsHandover(of: claim.claim, in: database) { return .withheld(claim) }
      switch claim.state {
      case .new, .linkShown, .lost:
        try Self.markLinkShown(id, in: database)
        return .shown(link, claim)
      case .unknown where !claim.isInFlight:
        return .shownToReceiver(link, claim)
      case .released, .unknown, .delivered:
        return .withheld(claim)
      }
    }
  }

  static func markLinkShown(_ id: ClaimID, in database: Database) throws {
    try database.execute(
      sql: "UPDATE outgoing SET state = 'linkShown', peer = NULL, settledAt = NULL WHERE claimId = ?",
      arguments: [id.description])
  }

  /// Returns the claims made in this store whose links may still be used, the latest expiry first: those whose links
  /// were shown, and those that were settled as lost, whose links may have been shown for one receiver. Those whose money
  /// is being taken back are left out.
  ///
  /// - Parameter limit: the greatest number of claims to return.
  /// - Throws: `StoreError`.
  public func claimsWithLinks(limit: Int, at now: ClockReading = .now()) async throws -> [OutgoingClaim] {
    try await read { database in
      try Self.claims(Self.linksQuery, limit: limit, at: now, in: database) { _ in true }
    }
  }

  static let linksQuery = """
    SELECT * FROM outgoing WHERE expiry > ? AND state IN ('linkShown', 'lost') ORDER BY expiry DESC, rowid DESC
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
