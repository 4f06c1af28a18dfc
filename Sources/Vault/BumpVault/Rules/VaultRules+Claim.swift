import BumpClaims
public import BumpWallet

extension VaultRules {
  /// Decides about a claim. A receiver that was already paid gets its receipt again, after the expiry too.
  ///
  /// - Parameter proof: the claim key's signature, as the client sent it.
  /// - Throws: `unknownClaim`, `notDeposited`; `alreadyClaimed` with the receipt, or `expired` after a refund;
  ///   `badReceiver`, `badSignature`, `wrongSecret`; `expired`. They are checked in that order.
  public func claim(
    for receiver: Address, proof: [UInt8], _ rows: ClaimRows
  ) throws(VaultRefusal) -> Decision<SignedReceipt> {
    let claim = try found(rows)
    guard claim.deposit != nil else { throw notDeposited() }
    if let settlement = claim.settlement, let receipt = receipt(of: claim) {
      guard settlement.outcome == .claimed else { throw expired("the claim expired, and its amount went back") }
      guard settlement.receiver == receiver else { throw alreadyClaimed(receipt) }
      return .answer(receipt)
    }
    try check(proof, of: claim.terms, for: receiver)
    guard !claim.terms.expiry.hasPassed(at: rows.now) else { throw expired("the claim has expired") }
    return .change(
      .claim(.init(claimID: claim.claimID, receiver: receiver, proof: proof, vault: identity.address)))
  }

  private func check(_ proof: [UInt8], of terms: ClaimTerms, for receiver: Address) throws(VaultRefusal) {
    guard let payout = try? vault.payout(of: terms, to: receiver) else { throw badReceiver() }
    guard let signature = try? Signature(proof) else { throw badSignature() }
    guard payout.isProven(by: signature, secretHash: terms.secretHash) else {
      throw .wrongSecret
    }
  }

  private func expired(_ reason: String) -> VaultRefusal { .expired(reason) }

  func alreadyClaimed(_ receipt: SignedReceipt) -> VaultRefusal { .alreadyClaimed(receipt) }

  func notDeposited() -> VaultRefusal { .notDeposited }
}
