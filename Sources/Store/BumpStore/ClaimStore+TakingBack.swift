public import BumpClaims
import GRDB

/// Money that its sender takes back before the claim expires.
extension ClaimStore {
  /// Records that the money of a claim is being taken back, durably, before its vault is asked to pay it back. From then
  /// on the claim is not released to a receiver, and its link is not shown, whatever the vault answers.
  ///
  /// A claim that is new counts as one whose link was shown, so that a bump that offers it now does not release it.
  ///
  /// - Parameters:
  ///   - funding: the record of the money, with the status `.takingBack`.
  ///   - evenIfHandedOver: whether to do so if somebody may have the claim or its link. While a receiver may still take
  ///     the claim, it is not done in any case.
  ///   - isLocked: whether the amount is locked where the store has only that the vault was asked to lock it.
  /// - Throws: `StoreError`. Then nothing was changed.
  public func beginTakingBack(
    _ id: ClaimID, as funding: Funding, evenIfHandedOver: Bool, isLocked: Bool = false, at now: ClockReading = .now()
  ) async throws -> TakeBackResult {
    try await write { database in
      guard let claim = try Self.outgoing(id, at: now, database) else { return .missing }
      let present = try Self.funding(Self.key(of: claim.claim), .outgoing, in: database)
      if let present, present.status == .takingBack || present.status.isSettled { return .begun(present) }
      var locked = present
      if isLocked, present?.status == .asked { locked?.status = .pending }
      guard locked?.mayBecome(funding, .outgoing) == true else { return .notLocked(present) }
      guard claim.state == .new || evenIfHandedOver && !claim.isInFlight else { return .handedOver(claim) }
      if claim.state.isOfferable { try Self.markLinkShown(id, in: database) }
      try Self.write(funding, of: claim.claim, expiry: claim.expiry, .outgoing, in: database)
      return .begun(funding)
    }
  }

  static func forbidsHandover(of claim: Claim, in database: Database) throws -> Bool {
    try funding(key(of: claim), .outgoing, in: database)?.forbidsHandover ?? false
  }
}
