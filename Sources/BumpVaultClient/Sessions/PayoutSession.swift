public import BumpClaims
public import BumpVault
import BumpVaultAPI
public import BumpWallet

/// How a claim at a vault ended.
public enum PayoutOutcome: Hashable, Sendable {
  /// The receiver has the money. The vault has signed the receipt, which names the receiver.
  case paid(SignedReceipt)
  /// Another receiver was paid. The vault has signed the receipt.
  case paidToAnother(SignedReceipt)
  /// The claim has expired, or its amount went back to its sender.
  case expired(VaultFailure)
  /// The vault holds nothing for the claim's terms.
  case notFunded(VaultFailure)
  /// The receiver was not paid.
  case notPaid(VaultFailure)
  /// The answer was lost, or cannot be trusted. Send the same request again to learn whether the receiver was paid.
  case perhapsPaid(VaultFailure)
}

/// Claims a claim's amount for a receiver. The secret is not sent, only a proof for this one receiver.
public struct PayoutSession: VaultSession, ConversingSession {
  private enum Phase: Hashable { case vault, claim, recording, payout }

  var conversation: Conversation
  private let terms: ClaimTerms
  private let receiver: Address
  private let request: PayoutRequest
  private var phase = Phase.vault
  /// Whether an earlier process may have sent the request.
  private let wasAsked: Bool

  /// - Parameter wasAsked: whether the same request may have been sent before.
  /// - Throws: `WalletError.token` for a token that the vault does not hold, `.receiver` for a receiver that cannot be
  ///   paid.
  public init(
    _ claim: Claim, expiry: Expiry, to receiver: Address, at vault: TrustedVault, wasAsked: Bool = false
  ) throws(WalletError) {
    conversation = Conversation(with: vault)
    (self.receiver, self.wasAsked) = (receiver, wasAsked)
    let key = ClaimKey(secret: claim.secret, claimID: claim.id)
    terms = ClaimTerms(
      claim, expiry: expiry, secretHash: key.secretHash, token: try vault.pinned.contract(of: claim.token))
    request = PayoutRequest(
      receiver: receiver, .proof(key.proof(of: try vault.pinned.payout(of: terms, to: receiver)).bytes))
  }

  public mutating func handle(_ input: VaultInput, at now: Int64) -> VaultStep<PayoutOutcome> {
    converse(input, at: now)
  }

  mutating func succeeded(_ body: [UInt8], at now: Int64) throws(VaultFailure) -> VaultStep<PayoutOutcome> {
    switch phase {
    case .vault:
      _ = try conversation.checked(body)
      phase = .claim
      return conversation.ask(.claim(terms.ledgerID))
    case .claim:
      _ = try conversation.answer(body, about: terms)
      phase = .recording
      return .record(request.json.text)
    case .payout:
      return concluded(try conversation.receipt(body, of: terms, for: .claimed))
    case .recording: preconditionFailure("nothing was asked for")
    }
  }

  mutating func refused(_ problem: ProblemAnswer, at now: Int64) throws(VaultFailure) -> VaultStep<PayoutOutcome> {
    let failure = VaultFailure(problem)
    switch (problem.kind, phase) {
    case (Problem.Kind.alreadyClaimed?, .payout):
      return concluded(try conversation.payment(problem, of: terms))
    case (Problem.Kind.expired?, .payout): return .finish(.expired(failure))
    case (Problem.Kind.unknownClaim?, .claim), (Problem.Kind.unknownClaim?, .payout),
      (Problem.Kind.notDeposited?, .payout):
      return .finish(.notFunded(failure))
    // Had an earlier attempt been carried out, the vault would answer with its receipt: nobody else has the proof.
    case (let kind?, .payout) where kind.isRefusal: return .finish(.notPaid(failure))
    // A vault that did not look at the claim has not said what became of an earlier attempt.
    default: throw failure
    }
  }

  mutating func went(on input: VaultInput, at now: Int64) throws(VaultFailure) -> VaultStep<PayoutOutcome> {
    guard case .recorded = input, phase == .recording else { preconditionFailure("nothing was asked for") }
    phase = .payout
    return conversation.ask(.payout(terms.ledgerID, request))
  }

  func failed(_ failure: VaultFailure, at now: Int64) -> PayoutOutcome {
    let mayBeSent = phase == .payout && (conversation.mayBeDone || [.untrusted, .overdue].contains(failure.code))
    return wasAsked || mayBeSent ? .perhapsPaid(failure) : .notPaid(failure)
  }

  private func concluded(_ receipt: SignedReceipt) -> VaultStep<PayoutOutcome> {
    .finish(receipt.receipt.receiver == receiver ? .paid(receipt) : .paidToAnother(receipt))
  }
}

extension ClaimTerms {
  /// Makes the terms of a claim at a vault.
  ///
  /// - Throws: `WalletError.token` for a token that the vault does not hold.
  public init(_ claim: Claim, expiry: Expiry, at vault: TrustedVault) throws(WalletError) {
    let key = ClaimKey(secret: claim.secret, claimID: claim.id)
    self.init(claim, expiry: expiry, secretHash: key.secretHash, token: try vault.pinned.contract(of: claim.token))
  }

  init(_ claim: Claim, expiry: Expiry, secretHash: Bytes32, token: Address) {
    self.init(secretHash: secretHash, token: token, amount: claim.amount, expiry: expiry)
  }
}
