import BumpVaultAPI
public import BumpWallet

/// How a refund ended.
public enum RefundOutcome: Hashable, Sendable {
  /// The sender has the amount again. The vault has signed the receipt.
  case refunded(SignedReceipt)
  /// A receiver was paid. The vault has signed the receipt.
  case claimed(SignedReceipt)
  /// The claim has not expired by the vault's clock. `notBefore` is the time of its expiry in seconds since 1970, if
  /// known.
  case tooEarly(VaultFailure, notBefore: Int64?)
  /// The vault holds nothing for the claim.
  case notLocked(VaultFailure)
  /// The vault refused, or cannot be trusted. This request refunded nothing.
  case failed(VaultFailure)
  /// The answer was lost, cannot be trusted, or is not certainly the vault's own. Ask again to learn whether the amount
  /// was refunded.
  case perhapsRefunded(VaultFailure)
}

/// Asks for the amount of an expired claim. Anybody may ask: the amount always goes to the sender.
public struct RefundSession: VaultSession, ConversingSession {
  private enum Phase: Hashable { case vault, refund }

  var conversation: Conversation
  private let terms: ClaimTerms
  private var phase = Phase.vault

  /// Makes a session for the claim with these terms. It needs neither the secret nor the sender's key.
  public init(_ terms: ClaimTerms, at vault: TrustedVault) {
    conversation = Conversation(with: vault)
    self.terms = terms
  }

  public mutating func handle(_ input: VaultInput, at now: Int64) -> VaultStep<RefundOutcome> {
    converse(input, at: now)
  }

  mutating func succeeded(_ body: [UInt8], at now: Int64) throws(VaultFailure) -> VaultStep<RefundOutcome> {
    switch phase {
    case .vault:
      _ = try conversation.checked(body)
      phase = .refund
      return conversation.ask(.refund(terms.ledgerID))
    case .refund:
      return .finish(.refunded(try conversation.receipt(body, of: terms, for: .refunded)))
    }
  }

  mutating func refused(_ problem: ProblemResponse, at now: Int64) throws(VaultFailure) -> VaultStep<RefundOutcome> {
    let failure = VaultFailure(problem)
    guard phase == .refund else { throw failure }
    switch problem.kind {
    case Problem.Kind.alreadyClaimed?: return .finish(.claimed(try conversation.payment(problem, of: terms)))
    // Of a refund only the receipt is believed, if anybody else may say so.
    case _ where !conversation.isAuthentic: throw .unauthentic(problem)
    case Problem.Kind.notExpired?: return .finish(.tooEarly(failure, notBefore: problem.notBefore))
    case Problem.Kind.unknownClaim?, Problem.Kind.notDeposited?: return .finish(.notLocked(failure))
    default: throw failure
    }
  }

  func failed(_ failure: VaultFailure, at now: Int64) -> RefundOutcome {
    let mayBeSent = phase == .refund && (conversation.mayBeDone || [.untrusted, .overdue].contains(failure.code))
    return mayBeSent ? .perhapsRefunded(failure) : .failed(failure)
  }
}
