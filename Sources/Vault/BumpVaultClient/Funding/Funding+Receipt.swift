import BumpClaims
import BumpStore
import BumpVaultAPI
import BumpWallet

extension Funding {
  /// Rejects a receipt that contradicts the stored one: the vault has signed two for one claim.
  ///
  /// - Throws: `FundingError.secondReceipt`.
  func check(_ signed: SignedReceipt, of claim: ClaimID, by url: VaultURL) throws(FundingError) {
    let transaction = signed.receipt.transaction.description
    guard vault == url.description, receipt != nil, isFinal, let kept = self.transaction, kept != transaction else {
      return
    }
    throw FundingError(
      .secondReceipt,
      "the vault \(url) contradicts itself: its receipt for claim \(claim) names the transaction \(transaction), and "
        + "the one before named \(kept)",
      remedy: "Show both to the vault's operator. The first receipt is kept", claim: claim, vault: url)
  }
}

extension SignedReceipt {
  /// What the store keeps about how sure the receipt's block is; `nil` for an embedded vault's.
  var level: Funding.Level? {
    switch inclusion?.level {
    case .confirmed?: .confirmed
    case .finalized?: .finalized
    case nil: nil
    }
  }
}
