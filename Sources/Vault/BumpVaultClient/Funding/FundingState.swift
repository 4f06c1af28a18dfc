public import BumpVaultAPI
public import BumpWallet

/// Whether there is money behind a received claim, by a vault's word. The receiver has the money only after claiming
/// it.
public enum FundingState: Hashable, Sendable {
  /// The vault holds the claim's amount, and there is time to claim it.
  case funded
  /// The vault holds the claim's amount, and the claim expires too soon to be relied on.
  case expiring
  /// The vault holds nothing for the claim.
  case notFunded
  /// A transaction carries the deposit to the chain, which has not confirmed it.
  case submitted(Bytes32?)
  /// A reorganization of the chain took back the payment or the refund that the store has a receipt for.
  case undone
  /// A receiver was paid, says the vault without a receipt.
  case claimed(ClaimResponse)
  /// The sender has the amount again, says the vault without a receipt.
  case refunded(ClaimResponse)
  /// A receiver was paid, or the sender has the amount again. The vault has signed the receipt.
  case settled(SignedReceipt)
  /// The vault does not say, or cannot be trusted.
  case unknown(VaultFailure)

  /// Makes the state from a vault's answer.
  ///
  /// - Parameters:
  ///   - answer: the outcome of a `StatusSession`, which has compared the terms.
  ///   - margin: the time that must be left before the claim's expiry.
  ///   - now: the time in seconds since 1970.
  public init(_ answer: Result<ClaimResponse, VaultFailure>, leaving margin: ExpiryMargin, at now: Int64) {
    switch answer {
    case .success(let answer):
      switch answer.status {
      case .none: self = answer.isSubmitted ? .submitted(answer.transaction) : .notFunded
      case .pending: self = margin.isLeft(before: answer.terms.expiry, at: now) ? .funded : .expiring
      case .claimed: self = .claimed(answer)
      case .refunded: self = .refunded(answer)
      }
    case .failure(let failure) where failure.problem == .unknownClaim: self = .notFunded
    case .failure(let failure): self = .unknown(failure)
    }
  }
}

extension Result where Success == ClaimResponse, Failure == VaultFailure {
  /// The claim's status by the vault's word; `nil` if it says none. Nothing is locked for a claim that it does not know.
  var status: ClaimStatus? {
    switch self {
    case .success(let answer): answer.status
    case .failure(let failure) where failure.problem == .unknownClaim: ClaimStatus.none
    case .failure: nil
    }
  }
}
