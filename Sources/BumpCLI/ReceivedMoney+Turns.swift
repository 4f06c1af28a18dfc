import BumpClaims
import BumpKit

extension ReceivedMoney {
  /// Returns the result for a claim that the vault is not asked about: too many of its sender wait.
  func notAsked(about received: VerifiedClaim) -> ReceivedFunding {
    let error = CommandError(.failure, "too many claims of its sender wait for the vault")
    return ReceivedFunding(
      claim: received.claim, expiry: received.expiry, vault: access.url, margin: margin,
      result: receiver == nil ? .notAsked(error) : .notPaid(error, isFinal: false))
  }
}
