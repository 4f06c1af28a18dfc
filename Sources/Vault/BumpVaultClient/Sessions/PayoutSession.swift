public import BumpClaims
import BumpVaultAPI
public import BumpWallet

/// How a claim at a vault ended.
public enum PayoutOutcome: Hashable, Sendable {
  /// The receiver was paid now, by this request or by an earlier attempt of it. The vault has signed the receipt, which
  /// names the receiver.
  case paid(SignedReceipt)
  /// The receiver was paid before, by another request: nothing was paid now. The vault has signed the receipt, which
  /// names the receiver.
  case alreadyPaid(SignedReceipt)
  /// Another receiver was paid. The vault has signed the receipt.
  case paidToAnother(SignedReceipt)
  /// The claim has expired, or its amount went back to its sender.
  case expired(VaultFailure)
  /// The vault holds nothing for the claim's terms.
  case notFunded(VaultFailure)
  /// The receiver was not paid.
  case notPaid(VaultFailure)
  /// The answer was lost, cannot be trusted, or is not certainly the vault's own. Send the same request again to learn whether the receiver was paid.
  case perhapsPaid(VaultFailure)
}

/// Claims a claim's amount for a receiver. The secret is not sent, only a proof for this one receiver.
public struct PayoutSession: VaultSession, ConversingSession {
  /// By how many seconds the clock here may be ahead of the vault's, where its answers may be anybody's.
  private static let clockError: Int64 = 60

  private enum Phase: Hashable { case vault, claim, recording, payout }

  var conversation: Conversation
  private let terms: ClaimTerms
  private let receiver: Address
  private let request: PayoutRequest
  private var phase = Phase.vault
  /// Whether an earlier process may have sent the request.
  private let wasAsked: Bool
  /// The vault's time at which it held the amount, before the request was sent first; `nil` if it never said so.
  private var heldAt: Int64?

  /// - Parameters:
  ///   - wasAsked: whether a request for this claim may have been sent before.
  ///   - heldAt: the time that was recorded with the same request for the same receiver; `nil` for none.
  /// - Throws: `WalletError.token` for a token that the vault does not hold, `.receiver` for a receiver that cannot be
  ///   paid.
  public init(
    _ claim: Claim, expiry: Expiry, to receiver: Address, at vault: TrustedVault, wasAsked: Bool = false,
    heldAt: Int64? = nil
  ) throws(WalletError) {
    conversation = Conversation(with: vault)
    (self.receiver, self.wasAsked, self.heldAt) = (receiver, wasAsked, heldAt)
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
      let answer = try conversation.answer(body, about: terms)
      if answer.status == .pending {
        // Where anybody may have answered, the clock here counts too: an old payment must not pass for a new one.
        heldAt = conversation.isAuthentic ? answer.now : max(answer.now, now - Self.clockError)
      }
      phase = .recording
      return .record(request.json.text, heldAt: heldAt)
    case .payout:
      let receipt = try conversation.receipt(body, of: terms, for: .claimed)
      return concluded(receipt, isNew: try? PayoutResponse(body, in: conversation.vault.domain).isNew)
    case .recording: preconditionFailure("nothing was asked for")
    }
  }

  mutating func refused(_ problem: ProblemResponse, at now: Int64) throws(VaultFailure) -> VaultStep<PayoutOutcome> {
    let failure = VaultFailure(problem)
    switch (problem.kind, phase) {
    case (Problem.Kind.alreadyClaimed?, .payout):
      return concluded(try conversation.payment(problem, of: terms))
    // Of a payment only its receipt is believed, if anybody else may say so.
    case (_, .payout) where !conversation.isAuthentic: throw .unauthentic(problem)
    case (Problem.Kind.expired?, .payout): return .finish(.expired(failure))
    // What was asked for may have been done, whatever the vault says of it now.
    case (Problem.Kind.unknownClaim?, .claim) where wasAsked,
      (Problem.Kind.unknownClaim?, .payout) where mayBeSent, (Problem.Kind.notDeposited?, .payout) where mayBeSent:
      return .finish(.perhapsPaid(failure))
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
    let isOpen = phase == .payout && [.untrusted, .overdue, .submitted].contains(failure.code)
    return mayBeSent || isOpen ? .perhapsPaid(failure) : .notPaid(failure)
  }

  /// Whether an attempt may have arrived whose answer did not.
  private var mayBeSent: Bool { wasAsked || phase == .payout && conversation.mayBeDone }

  /// - Parameter isNew: whether the vault says that this attempt made the payment. An earlier attempt may have made it
  ///   too, if its answer was lost.
  private func concluded(_ receipt: SignedReceipt, isNew: Bool? = nil) -> VaultStep<PayoutOutcome> {
    guard receipt.receipt.receiver == receiver else { return .finish(.paidToAnother(receipt)) }
    // By its own certain word, whatever became of a clock between two answers.
    if isNew == true, conversation.isAuthentic { return .finish(.paid(receipt)) }
    let wasHeld = heldAt.map { $0 <= receipt.receipt.time } ?? false
    return .finish(wasHeld && (isNew == true || mayBeSent) ? .paid(receipt) : .alreadyPaid(receipt))
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
