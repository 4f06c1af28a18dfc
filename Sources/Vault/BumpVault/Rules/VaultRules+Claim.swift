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
      throw VaultRefusal(
        .wrongSecret, "the proof was not made with this claim's secret, for this receiver, at this vault",
        remedy: "Check that the claim or link is whole, and that it is this vault's")
    }
  }

  private func expired(_ reason: String) -> VaultRefusal {
    VaultRefusal(.expired, reason, remedy: "Ask the sender to make a new one")
  }

  func alreadyClaimed(_ receipt: SignedReceipt) -> VaultRefusal {
    VaultRefusal(
      .alreadyClaimed, "the claim was paid to another receiver", remedy: "Ask the sender who else had it",
      receipt: receipt)
  }

  func notDeposited() -> VaultRefusal {
    VaultRefusal(
      .notDeposited, "nothing has been deposited for the claim", remedy: "Ask the sender whether the deposit was made")
  }
}
