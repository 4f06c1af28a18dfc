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
    guard vault.vault.tokens.contains(where: { $0.address == terms.token }) else { throw unknownToken() }
    guard terms.amount <= limits.cap else {
      throw VaultRefusal(.overCap, "a claim holds at most \(limits.cap)", remedy: "Make several smaller claims")
    }
    let expiry = terms.expiry.unixSeconds
    guard expiry > time.clock else {
      throw VaultRefusal(.badExpiry, "the claim's expiry has passed", remedy: "Make a new claim, and check the clock")
    }
    guard expiry - time.now <= limits.longestLife else {
      throw VaultRefusal(
        .badExpiry, "the claim's expiry is more than \(limits.longestLife / Day.seconds) days off",
        remedy: "Choose an earlier one")
    }
    guard expiry % 60 == 0 else {
      throw VaultRefusal(
        .badExpiry, "the claim's expiry is no whole minute", remedy: "Choose a multiple of 60 seconds since 1970")
    }
  }

  func idTaken() -> VaultRefusal {
    VaultRefusal(
      .idTaken, "another claim or deposit has that id",
      remedy: "Make a new claim. Nothing was locked for this one")
  }

  func unknownToken() -> VaultRefusal {
    VaultRefusal(.unknownToken, "the vault does not hold that token", remedy: "Ask it which tokens it holds")
  }
}
