public import BumpClaims
public import BumpWallet

extension VaultRules {
  /// Decides about a draft. Equal terms under the same id are a repeat, whatever the claim's state is now.
  ///
  /// - Throws: `idTaken`, `unknownToken`, `overCap`, `badExpiry`.
  public func draft(
    _ claimID: ClaimID, _ terms: ClaimTerms, _ rows: ClaimRows
  ) throws(VaultRefusal) -> Decision<ClaimRecord> {
    if let claim = rows.claim, !claim.hasLapsed(at: rows.now, lifetime: limits.draftLifetime) {
      guard claim.terms == terms else { throw idTaken() }
      return .answer(claim)
    }
    try check(terms, at: rows.time)
    return .change(.draft(.init(claimID: claimID, terms: terms, lifetime: limits.draftLifetime)))
  }

  func check(_ terms: ClaimTerms, at time: StoreTime) throws(VaultRefusal) {
    try limits.check(terms, of: vault, at: time)
  }

  func idTaken() -> VaultRefusal { .idTaken }

  func unknownToken() -> VaultRefusal { .unknownToken }
}
