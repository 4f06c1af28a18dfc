import BumpChain
public import BumpClaims
public import BumpVault
public import BumpWallet

extension ChainVault {
  /// - Throws: `unknownClaim`; `idTaken`, `unknownToken`, `overCap`, `badExpiry`, `authorizationExpired`,
  ///   `notAuthorized`, `insufficientFunds`, `sponsoringExhausted`, `chainUnreachable`, `busy`.
  public func deposit(
    _ claimID: ClaimID, _ authorization: SenderAuthorization
  ) async throws -> VaultOutcome<ClaimRecord> {
    guard let standing = try await found(claimID) else { throw VaultRefusal.unknownClaim }
    let (terms, time) = (standing.terms, standing.time)
    let request = ChainRequest.deposit(
      terms, from: authorization.sender, validBefore: authorization.validBefore, authorization: authorization.bytes)
    let earlier = standing.row.requests[.deposit]
    if let created = standing.row.created {
      guard isSender(of: standing, authorization) else { throw VaultRefusal.idTaken }
      return standing.deposit == nil
        ? .submitted(created.transaction) : .done(standing.record(claimID, authorization))
    }
    if let earlier, !earlier.isOver(finalized: standing.height.finalized) {
      guard earlier.request == request else { throw VaultRefusal.idTaken }
      return .submitted(try await transaction(of: request))
    }
    try limits.check(terms, of: pinned, at: time)
    guard !authorization.validBefore.hasPassed(at: time.clock) else { throw VaultRefusal.authorizationExpired }
    guard authorization.validBefore.unixSeconds - time.clock <= configuration.authorizationSeconds else {
      throw VaultRefusal(
        .notAuthorized, "the authorization is valid for more than \(configuration.authorizationSeconds) seconds",
        remedy: "Sign a shorter one, and check the clock")
    }
    if let refusal = try await simulate(request) { throw try await self.refusal(refusal, of: terms, authorization) }
    return .submitted(try await carry(request, for: authorization.sender, standing))
  }

  /// Returns whether an authorization is by the sender of a claim's deposit: the one that was carried, or one whose
  /// signature is that sender's. Otherwise anybody could ask whether a claim is a given sender's.
  private func isSender(of standing: ClaimStanding, _ authorization: SenderAuthorization) -> Bool {
    guard standing.sender == authorization.sender else { return false }
    if standing.row.requests[.deposit]?.authorization == authorization { return true }
    let message = try? pinned.deposit(
      of: standing.terms, from: authorization.sender, validBefore: authorization.validBefore)
    guard let message, let signature = try? Signature(authorization.bytes) else { return false }
    return message.isAuthorized(by: signature)
  }

  /// Returns why a deposit would revert. The token's own words may be anything, so the balance is asked for.
  private func refusal(
    _ refusal: NodeRefusal, of terms: ClaimTerms, _ authorization: SenderAuthorization
  ) async throws -> VaultRefusal {
    switch RevertReason.text(of: refusal) {
    case "id used": return .idTaken
    case "expired":
      return VaultRefusal(.badExpiry, "the claim's expiry has passed", remedy: "Make a new claim, and check the clock")
    default: break
    }
    let result = try await read(TokenCall.balance(of: authorization.sender).data, of: terms.token)
    guard let balance = try? TokenCall.balance(result), balance >= UInt128(terms.amount.baseUnits) else {
      return .insufficientFunds
    }
    return .notAuthorized
  }

  /// - Throws: `unknownClaim`, `notDeposited`; `alreadyClaimed` with the receipt, `expired`; `badReceiver`,
  ///   `badSignature`, `wrongSecret`, `sponsoringExhausted`, `chainUnreachable`, `busy`.
  public func pay(
    _ claimID: ClaimID, for receiver: Address, proof: [UInt8]
  ) async throws -> VaultOutcome<PayoutResult> {
    guard let standing = try await found(claimID) else { throw VaultRefusal.unknownClaim }
    guard standing.deposit != nil else { throw VaultRefusal.notDeposited }
    let (terms, time) = (standing.terms, standing.time)
    if let receipt = standing.receipt(pinned.domain, by: receiptKey) {
      guard receipt.receipt.outcome == .claimed else {
        throw VaultRefusal.expired("the claim expired, and its amount went back")
      }
      guard receipt.receipt.receiver == receiver else { throw VaultRefusal.alreadyClaimed(receipt) }
      // Its transaction was made by an earlier request, which was told so.
      return .done(PayoutResult(receipt: receipt, isNew: false))
    }
    if let settled = standing.row.settled {
      guard case .claimed(_, receiver) = settled.event else { throw Self.otherOnItsWay }
      return .submitted(settled.transaction)
    }
    guard let payout = try? pinned.payout(of: terms, to: receiver) else { throw VaultRefusal.badReceiver }
    guard let signature = try? Signature(proof) else { throw VaultRefusal.badSignature }
    guard payout.isProven(by: signature, secretHash: terms.secretHash) else { throw VaultRefusal.wrongSecret }
    let request = ChainRequest.claim(standing.row.ledgerID, proof: proof, receiver: receiver)
    if let earlier = standing.row.requests[.claim], !earlier.isOver(finalized: standing.height.finalized) {
      guard earlier.request == request else { throw Self.otherOnItsWay }
      return .submitted(try await transaction(of: request))
    }
    // A transaction that comes too late would only cost its gas.
    guard !terms.expiry.hasPassed(at: time.clock) else { throw VaultRefusal.expired("the claim has expired") }
    if let refusal = try await simulate(request) {
      switch RevertReason.text(of: refusal) {
      case "not pending": throw Self.otherOnItsWay
      case "expired": throw VaultRefusal.expired("the claim has expired")
      default:
        throw VaultRefusal(
          .badReceiver, "the token refuses to pay this receiver now", remedy: "Name another address, or ask again later"
        )
      }
    }
    return .submitted(try await carry(request, for: receiver, standing))
  }

  /// - Throws: `unknownClaim`, `notDeposited`; `alreadyClaimed` with the receipt; `notExpired`; `sponsoringExhausted`,
  ///   `chainUnreachable`, `busy`.
  public func refund(_ claimID: ClaimID) async throws -> VaultOutcome<SignedReceipt> {
    guard let standing = try await found(claimID) else { throw VaultRefusal.unknownClaim }
    guard standing.deposit != nil, let sender = standing.sender else { throw VaultRefusal.notDeposited }
    if let receipt = standing.receipt(pinned.domain, by: receiptKey) {
      guard receipt.receipt.outcome == .refunded else { throw VaultRefusal.alreadyClaimed(receipt) }
      return .done(receipt)
    }
    if let settled = standing.row.settled {
      guard case .refunded = settled.event else { throw Self.otherOnItsWay }
      return .submitted(settled.transaction)
    }
    let request = ChainRequest.refund(standing.row.ledgerID)
    if let earlier = standing.row.requests[.refund], !earlier.isOver(finalized: standing.height.finalized) {
      return .submitted(try await transaction(of: request))
    }
    guard standing.terms.expiry.hasPassed(at: standing.time.now) else {
      throw VaultRefusal.notExpired(standing.terms)
    }
    if let refusal = try await simulate(request) {
      switch RevertReason.text(of: refusal) {
      case "not pending": throw Self.otherOnItsWay
      case "not expired": throw VaultRefusal.notExpired(standing.terms)
      default:
        throw VaultRefusal(
          .busy, "the token refuses to pay the sender back now", remedy: "Ask again later. The claim stays the sender's"
        )
      }
    }
    return .submitted(try await carry(request, for: sender, standing))
  }
}
