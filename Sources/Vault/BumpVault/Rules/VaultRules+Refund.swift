import BumpClaims
public import BumpWallet

extension VaultRules {
  /// Decides about a refund. Anybody may ask for one, and it always goes to the sender.
  ///
  /// - Throws: `unknownClaim`, `notDeposited`, `alreadyClaimed` with the receipt, `notExpired` with the time.
  public func refund(_ rows: ClaimRows) throws(VaultRefusal) -> Decision<SignedReceipt> {
    let claim = try found(rows)
    guard claim.deposit != nil else { throw notDeposited() }
    if let settlement = claim.settlement, let receipt = receipt(of: claim) {
      guard settlement.outcome == .refunded else { throw alreadyClaimed(receipt) }
      return .answer(receipt)
    }
    guard claim.terms.expiry.hasPassed(at: rows.now) else {
      guard !claim.terms.expiry.hasPassed(at: rows.time.clock) else {
        throw VaultRefusal(
          .notExpired, "the vault's clock is ahead of the time that is proven, and nothing expires by it",
          remedy: "Ask the vault's operator to confirm the clock. Nothing is lost meanwhile",
          notBefore: claim.terms.expiry.unixSeconds)
      }
      throw .notExpired(claim.terms)
    }
    return .change(.refund(.init(claimID: claim.claimID, vault: identity.address)))
  }
}
