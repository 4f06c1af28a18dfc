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

  /// Reports the end of the wait until the claim is claimed.
  func waited(_ end: ClaimMoney.Waited, at url: VaultURL) {
    let id = claim.claim.id
    switch end {
    case .moved(let answer): moved(answer, at: url)
    case .unclaimed:
      json.write("expired", ["claimId": .init(id)])
      console.insist("Claim \(id) has expired unclaimed, says \(url). Get its money back with: bump refund \(id)")
    case .notKnown:
      json.write("expired", ["claimId": .init(id)])
      console.insist(
        "Claim \(id) has expired. \(url) does not say whether it was claimed before. If not, this gets its money back: "
          + "bump refund \(id)")
    case .cancelled:
      console.say("`bump history` asks \(url) whether claim \(id) was claimed.")
    }
  }

  private func moved(_ answer: ClaimAnswer, at url: VaultURL) {
    let id = claim.claim.id
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
