import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

extension Funding {
  /// Rejects a receipt that contradicts the stored one: the vault has signed two for one claim.
  ///
  /// - Throws: `CommandError`.
  func check(_ signed: SignedReceipt, of claim: ClaimID, by url: VaultURL) throws {
    let transaction = signed.receipt.transaction.description
    guard vault == url.description, receipt != nil, let kept = self.transaction, kept != transaction else { return }
    throw CommandError(
      .failure,
      "the vault \(url) contradicts itself: its receipt for claim \(claim) names the transaction \(transaction), and "
        + "the one before named \(kept)",
      remedy: "Show both to the vault's operator. The first receipt is kept: bump show --json \(claim)")
  }
}
