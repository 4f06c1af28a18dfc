import BumpClaims
import BumpWallet

extension VaultRules {
  /// Decides about a deposit. The same authorization for the same claim is a repeat, whatever the claim's state is now.
  ///
  /// - Throws: `unknownClaim`, `idTaken`, `unknownToken`, `overCap`, `badExpiry`, `badSignature`, `notAuthorized`,
  ///   `authorizationExpired`, `insufficientFunds`, `tooManyPending`, `tooManyDeposits`. They are checked in that
  ///   order.
  public func deposit(
    _ authorization: SenderAuthorization, _ rows: DepositRows
  ) throws(VaultRefusal) -> Decision<ClaimRecord> {
    let time = rows.claim.time
    let claim = try found(rows.claim)
    if let deposit = claim.deposit {
      // Compares the whole authorization, not only the sender: otherwise anybody could ask whether a claim is a given
      // sender's.
      guard deposit.authorization == authorization else { throw idTaken() }
      return .answer(claim)
    }
    guard !rows.isLedgerIDUsed else { throw idTaken() }
    try check(claim.terms, at: time)
    // By the clock, even if it is not believed: after this end its sender takes it as certain that nothing was locked.
    try check(authorization, for: claim.terms, at: time.clock)
    guard rows.balance >= claim.terms.amount.baseUnits else {
      throw .insufficientFunds
    }
    try check(rows.use, at: time.now)
    return .change(
      .deposit(
        .init(
          claimID: claim.claimID, terms: claim.terms, authorization: authorization, vault: identity.address,
          limits: limits)))
  }

  private func check(
    _ authorization: SenderAuthorization, for terms: ClaimTerms, at now: Int64
  ) throws(VaultRefusal) {
    guard let signature = try? Signature(authorization.bytes) else { throw badSignature() }
    guard
      let message = try? vault.deposit(of: terms, from: authorization.sender, validBefore: authorization.validBefore)
    else { throw unknownToken() }
    guard message.isAuthorized(by: signature) else {
      throw .notAuthorized
    }
    guard !authorization.validBefore.hasPassed(at: now) else {
      throw .authorizationExpired
    }
  }

  private func check(_ use: SenderUsage, at now: Int64) throws(VaultRefusal) {
    guard use.pending < limits.pending else {
      throw VaultRefusal(
        .tooManyPending, "the sender has \(limits.pending) pending claims already",
        remedy: "Wait until one is claimed, or refund one that has expired")
    }
    guard use.deposits(at: now) < limits.depositsPerDay else {
      throw VaultRefusal(
        .tooManyDeposits, "the sender has made \(limits.depositsPerDay) deposits today",
        remedy: "Try again tomorrow (UTC)",
        notBefore: Day.end(of: Day.of(now)))
    }
  }
}
