import BumpWallet

/// The vault's decisions: pure functions of a request and the rows that it concerns. Each checks in the order of its lines,
/// and answers with what is to change, or with what is so already; refusals are thrown.
public struct VaultRules: Sendable {
  public let identity: VaultIdentity
  public let limits: VaultLimits

  public init(_ identity: VaultIdentity, limits: VaultLimits = VaultLimits()) {
    (self.identity, self.limits) = (identity, limits)
  }

  var vault: PinnedVault { identity.vault }

  /// The receipt of a claim that is final; `nil` for any other.
  public func receipt(of claim: ClaimRecord) -> SignedReceipt? {
    claim.settlement.map { SignedReceipt(Receipt(claim.terms, $0, domain: vault.domain), by: identity) }
  }

  /// The claim, unless there is none or its draft has lapsed.
  func found(_ rows: ClaimRows) throws(VaultRefusal) -> ClaimRecord {
    guard let claim = rows.claim, !claim.hasLapsed(at: rows.now, lifetime: limits.draftLifetime) else {
      throw unknownClaim()
    }
    return claim
  }

  func unknownClaim() -> VaultRefusal {
    VaultRefusal(
      .unknownClaim, "the vault has no claim of that id",
      remedy: "A claim without a deposit is kept for a few minutes only: make it again")
  }

  /// The refusal where an address cannot be paid.
  func badReceiver() -> VaultRefusal {
    VaultRefusal(
      .badReceiver, "the receiver is zero, the vault or the token", remedy: "Name the address of a person's wallet")
  }

  func badSignature() -> VaultRefusal {
    VaultRefusal(
      .badSignature, "the signature is not 65 bytes with 0 < r < n, 0 < s ≤ n/2 and v 27 or 28",
      remedy: "Sign with the lower s, and with v 27 or 28")
  }
}

/// What came of a decision.
public enum Decision<Answer> {
  /// It is so already: a repeat gets the first answer.
  case answer(Answer)
  /// This is to be carried out, and the decision to be made anew where it no longer may.
  case change(Change)
}

extension Decision: Sendable where Answer: Sendable {}
