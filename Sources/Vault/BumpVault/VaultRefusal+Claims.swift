import BumpClaims
package import BumpWallet

/// Refusals that an embedded vault and one on a chain share.
extension VaultRefusal {
  package static let unknownClaim = VaultRefusal(
    .unknownClaim, "the vault has no claim of that id",
    remedy: "A claim without a deposit is kept for a few minutes only: make it again")
  /// The refusal for an address that cannot be paid.
  package static let badReceiver = VaultRefusal(
    .badReceiver, "the receiver is zero, the vault or the token", remedy: "Name the address of a person's wallet")
  package static let badSignature = VaultRefusal(
    .badSignature, "the signature is not 65 bytes with 0 < r < n, 0 < s ≤ n/2 and v 27 or 28",
    remedy: "Sign with the lower s, and with v 27 or 28")
  package static let idTaken = VaultRefusal(
    .idTaken, "another claim or deposit has that id",
    remedy: "Make a new claim. Nothing was locked for this one")
  package static let unknownToken = VaultRefusal(
    .unknownToken, "the vault does not hold that token", remedy: "Ask it which tokens it holds")
  package static let notDeposited = VaultRefusal(
    .notDeposited, "nothing has been deposited for the claim", remedy: "Ask the sender whether the deposit was made")
  package static let wrongSecret = VaultRefusal(
    .wrongSecret, "the proof was not made with this claim's secret, for this receiver, at this vault",
    remedy: "Check that the claim or link is whole, and that it is this vault's")
  package static let notAuthorized = VaultRefusal(
    .notAuthorized, "the sender has not signed this deposit at this vault",
    remedy: "Sign the claim's ledger id, amount and time limit in the token's domain")
  package static let authorizationExpired = VaultRefusal(
    .authorizationExpired, "the authorization's time limit has passed",
    remedy: "Nothing was locked. Make a new claim, and check the clock")
  package static let insufficientFunds = VaultRefusal(
    .insufficientFunds, "the sender's balance is smaller than the claim's amount",
    remedy: "Top the wallet up, or send less")

  package static func expired(_ reason: String) -> VaultRefusal {
    VaultRefusal(.expired, reason, remedy: "Ask the sender to make a new one")
  }

  package static func alreadyClaimed(_ receipt: SignedReceipt) -> VaultRefusal {
    VaultRefusal(
      .alreadyClaimed, "the claim was paid to another receiver", remedy: "Ask the sender who else had it",
      receipt: receipt)
  }

  /// The refusal of a refund before a claim's expiry.
  package static func notExpired(_ terms: ClaimTerms) -> VaultRefusal {
    VaultRefusal(
      .notExpired, "the claim has not expired: until then it is its receiver's",
      remedy: "Ask again once it has expired", notBefore: terms.expiry.unixSeconds)
  }
}

extension VaultLimits {
  /// Checks the terms of a draft or deposit.
  ///
  /// - Throws: `unknownToken`, `overCap`, `badExpiry`.
  package func check(_ terms: ClaimTerms, of vault: PinnedVault, at time: StoreTime) throws(VaultRefusal) {
    guard vault.vault.tokens.contains(where: { $0.address == terms.token }) else { throw .unknownToken }
    guard terms.amount <= cap else {
      throw VaultRefusal(.overCap, "a claim holds at most \(cap)", remedy: "Make several smaller claims")
    }
    let expiry = terms.expiry.unixSeconds
    guard expiry > time.clock else {
      throw VaultRefusal(.badExpiry, "the claim's expiry has passed", remedy: "Make a new claim, and check the clock")
    }
    guard expiry - time.now <= longestLife else {
      throw VaultRefusal(
        .badExpiry, "the claim's expiry is more than \(longestLife / Day.seconds) days away",
        remedy: "Choose an earlier one")
    }
    guard expiry % 60 == 0 else {
      throw VaultRefusal(
        .badExpiry, "the claim's expiry is not a whole minute", remedy: "Choose a multiple of 60 seconds since 1970")
    }
  }
}
