import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

/// The reports on a claim's money while the claim is sent. They say which statements are the vault's.
extension SendReport {
  /// - Parameter transaction: the deposit's transaction; `nil` if the amount was locked before.
  func locked(_ money: OutgoingFunding, _ transaction: Bytes32?) {
    let url = money.vault.url
    let page = url.sentPage(of: money.ledgerID)
    json.write(
      "locked",
      ["vault": .init(url), "txHash": transaction.map { .init($0) }, "page": page.map { .string($0) }])
    console.say("\(claim.claim.amount) \(claim.claim.token) are locked, says \(url).")
    if let page { console.say("Watch the claim in a browser: \(page)") }
  }

  /// Reports the end of the wait until the claim is claimed.
  ///
  /// - Parameters:
  ///   - end: the state of the money after the claim's expiry, or the receipt; `nil` if the wait was cancelled.
  ///   - isTakenBack: whether the receipt is of a payment back to the sender's wallet.
  func waited(_ end: FundingState?, at url: VaultURL, isTakenBack: Bool) {
    let id = claim.claim.id
    switch end {
    case .settled(let signed)?: settled(signed, at: url, isTakenBack: isTakenBack)
    case .funded?, .expiring?, .notFunded?, .submitted?:
      json.write("expired", ["claimId": .init(id)])
      console.insist("Claim \(id) has expired unclaimed, says \(url). Get its money back with: bump refund \(id)")
    case .claimed?, .refunded?, .unknown?, .undone?:
      json.write("expired", ["claimId": .init(id)])
      console.insist(
        "Claim \(id) has expired. \(url) does not say whether it was claimed before. If not, this gets its money back: "
          + "bump refund \(id)")
    case nil:
      console.say("`bump history` asks \(url) whether claim \(id) was claimed.")
    }
  }

  private func settled(_ signed: SignedReceipt, at url: VaultURL, isTakenBack: Bool) {
    let receipt = signed.receipt
    let receiver = receipt.outcome == .claimed ? receipt.receiver : nil
    json.write(
      isTakenBack ? "takenBack" : receipt.outcome.rawValue,
      [
        "claimId": .init(claim.claim.id), "vault": .init(url), "receiver": receiver.map { .init($0) },
        "txHash": .init(receipt.transaction), "level": signed.inclusion.map { .string($0.level.rawValue) },
      ])
    let what = receiver.map { "\(isTakenBack ? "Taken back" : "Claimed") to \($0)" } ?? "Refunded"
    let rest = signed.isFinal ? "" : " It is not final: the chain may still undo it. See: bump history"
    console.say("\(what) (transaction \(receipt.transaction)), says \(url).\(rest)")
  }
}
