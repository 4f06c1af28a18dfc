public import BumpWallet

/// The vault's decisions: pure functions of a request and its rows. Each makes its checks in the order of its lines,
/// and returns the change to make, or the answer if the request was carried out before. It throws refusals.
public struct VaultRules: Sendable {
  /// The vault's address, tokens and domains, and the key that signs its receipts.
  public let identity: VaultIdentity
  /// The limits for drafts and deposits. Claims and refunds have none.
  public let limits: VaultLimits

  /// Makes a vault's rules. The limits are this process's own: the store does not keep them.
  public init(_ identity: VaultIdentity, limits: VaultLimits = VaultLimits()) {
    (self.identity, self.limits) = (identity, limits)
  }

  var vault: PinnedVault { identity.vault }

  /// Returns the receipt of a claim that is final; `nil` for any other.
  public func receipt(of claim: ClaimRecord) -> SignedReceipt? {
    claim.settlement.map { SignedReceipt(Receipt(claim.terms, $0, domain: vault.domain), by: identity) }
  }

  /// Returns the claim.
  ///
  /// - Throws: `unknownClaim` if there is no claim, or if it is a draft that has lapsed.
  func found(_ rows: ClaimRows) throws(VaultRefusal) -> ClaimRecord {
    guard let claim = rows.claim, !claim.hasLapsed(at: rows.now, lifetime: limits.draftLifetime) else {
      throw unknownClaim()
    }
    return claim
  }

  func unknownClaim() -> VaultRefusal { .unknownClaim }

  /// Returns the refusal for an address that cannot be paid.
  func badReceiver() -> VaultRefusal { .badReceiver }

  func badSignature() -> VaultRefusal { .badSignature }
}

/// The result of a decision.
public enum Decision<Answer> {
  /// The request was carried out before: a repeat gets the first answer.
  case answer(Answer)
  /// The change to carry out. If its conditions no longer hold, decide again.
  case change(Change)
}

extension Decision: Sendable where Answer: Sendable {}
