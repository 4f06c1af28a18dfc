import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultClient

extension ReceivedMoney {
  /// Returns the result for a claim about which the vault is not asked.
  ///
  /// - Parameter reason: as in `receiving ended before it was asked`, of the vault.
  func notAsked(about received: VerifiedClaim, _ reason: String) -> ReceivedFunding {
    let error = CommandError(.failure, "\(vault.url) was not asked: \(reason)")
    return ReceivedFunding(
      claim: received.claim, expiry: received.expiry, url: vault.url, margin: margin,
      result: receiver == nil ? .notAsked(error) : .notPaid(error, isFinal: false))
  }
}
