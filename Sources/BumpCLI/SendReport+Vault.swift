import BumpClaims
import BumpKit
import BumpVault
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

/// The reports on a claim's money while the claim is sent. They say which statements are the vault's.
extension SendReport {
  /// - Parameter transaction: the deposit's transaction; `nil` if the amount was locked before.
  func locked(at url: VaultURL, _ transaction: Bytes32?) {
    json.write("locked", ["vault": .init(url), "txHash": transaction.map { .init($0) }])
    console.say("\(claim.claim.amount) \(claim.claim.token) are locked, says \(url).")
  }

  /// - Parameter answer: the vault's answer; `nil` if the claim has expired, or if the wait was cancelled.
  func moved(_ answer: ClaimAnswer?, at url: VaultURL) {
    let id = claim.claim.id
    guard let answer else {
      if claim.expiry.hasPassed(at: UnixTime.now()) {
        json.write("expired", ["claimId": .init(id)])
        console.insist("Claim \(id) has expired unclaimed. Get its money back with: bump refund \(id)")
      } else {
        console.say("Claim \(id) was not claimed yet, says \(url). `bump history` shows when it is.")
      }
      return
    }
    json.write(
      answer.status.rawValue,
      [
        "claimId": .init(id), "vault": .init(url), "receiver": answer.receiver.map { .init($0) },
        "txHash": answer.transaction.map { .init($0) },
      ])
    let transaction = answer.transaction.map { " (transaction \($0))" } ?? ""
    if let receiver = answer.receiver {
      console.say("Claimed to \(receiver)\(transaction), says \(url).")
    } else {
      console.say("Refunded\(transaction), says \(url).")
    }
  }
}
