import BumpChain
package import BumpClaims
package import BumpWallet

/// A call of a vault's contract that its user carries in a transaction of their own. The contract is the one that the
/// user has pinned: neither a node nor a claim names it.
package struct DirectCall: Hashable, Sendable {
  /// What a call does.
  package enum Deed: Hashable, Sendable {
    /// Pays the claim to its receiver; pays it back to its sender before it expires; refunds it afterwards.
    case claim, takeBack, refund
  }

  /// The contract and its tokens, as they are pinned.
  package let pinned: PinnedVault
  /// The claim's terms.
  package let terms: ClaimTerms
  /// What the call does.
  package let deed: Deed
  /// The address that the call pays; `nil` for a refund, which always goes to the sender.
  package let receiver: Address?
  /// The calldata. It has no secret in it, only a proof that is good for the receiver alone.
  package let data: [UInt8]

  /// Makes the call that pays a claim.
  ///
  /// - Parameter isTakenBack: whether the receiver is the claim's sender.
  /// - Throws: `WalletError.receiver` for a receiver that cannot be paid, `.token` for a token that the contract does not
  ///   hold.
  package init(
    paying claim: Claim, _ terms: ClaimTerms, to receiver: Address, isTakenBack: Bool = false, at pinned: PinnedVault
  ) throws(WalletError) {
    let key = ClaimKey(secret: claim.secret, claimID: claim.id)
    let proof = key.proof(of: try pinned.payout(of: terms, to: receiver))
    (self.pinned, self.terms, self.receiver, deed) = (pinned, terms, receiver, isTakenBack ? .takeBack : .claim)
    data = ClaimVaultCall.claim(terms.ledgerID, proof: proof.bytes, receiver: receiver).data
  }

  /// Makes the call that refunds an expired claim.
  package init(refunding terms: ClaimTerms, at pinned: PinnedVault) {
    (self.pinned, self.terms, receiver, deed) = (pinned, terms, nil, .refund)
    data = ClaimVaultCall.refund(terms.ledgerID).data
  }

  var contract: Address { pinned.vault.address }
  var chainID: UInt64 { pinned.vault.chainID }
}
