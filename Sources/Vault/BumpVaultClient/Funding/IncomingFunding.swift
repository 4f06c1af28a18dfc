public import BumpClaims
public import BumpStore
public import BumpVaultAPI
public import BumpWallet
import Synchronization

/// The money of a received claim at a vault: asks whether the money is there, and requests the payout. Each request is
/// recorded in the store before it is sent, and repeated as it was if its answer was lost.
public struct IncomingFunding: Sendable {
  /// The claim.
  public let claim: Claim
  /// When the claim expires.
  public let expiry: Expiry
  /// The vault that is asked.
  public let vault: ConfirmedVault
  let store: ClaimStore
  /// The claim's terms at the vault.
  public let terms: ClaimTerms

  var id: ClaimID { claim.id }
  var now: Int64 { vault.client.now() }

  /// - Throws: `FundingError.notPayable` if the vault does not hold the claim's token.
  public init(
    _ claim: Claim, expiry: Expiry, at vault: ConfirmedVault, in store: ClaimStore
  ) throws(FundingError) {
    (self.claim, self.expiry, self.vault, self.store) = (claim, expiry, vault, store)
    do {
      terms = try ClaimTerms(claim, expiry: expiry, at: vault.vault)
    } catch {
      throw Self.notPayable(error, claim.id, at: vault.url)
    }
  }

  private static func notPayable(_ error: WalletError, _ id: ClaimID, at url: VaultURL) -> FundingError {
    FundingError(
      .notPayable, "the claim cannot be paid: \(error.reason)", remedy: error.remedy, claim: id, vault: url)
  }

  /// Returns the vault that was asked to pay a claim, and may have paid it: ask it first, whatever vault is named now.
  ///
  /// - Returns: `nil` if no payout is in doubt.
  /// - Throws: `StoreError`.
  public static func vaultInDoubt(about claim: Claim, in store: ClaimStore) async throws -> VaultURL? {
    guard let funding = try await store.funding(of: claim, .incoming), funding.status == .asked else { return nil }
    return VaultURL(funding.vault)
  }

  /// Asks the vault whether the money is there, and records the answer. Of a final state only the vault's receipt is
  /// recorded: the rest is its word, and it is asked again the next time.
  ///
  /// - Parameters:
  ///   - margin: how much time the claim must have left to count as funded.
  ///   - limit: how long the vault may take for each answer.
  /// - Throws: `FundingError.secondReceipt` if the vault contradicts its receipt of before; `StoreError`.
  public func state(
    leaving margin: ExpiryMargin = .standard, within limit: Duration = VaultClient.limit
  ) async throws -> FundingState {
    let answer = try await vault.client.run(StatusSession(terms, at: vault.vault), within: limit)
    let state = FundingState(answer, leaving: margin, at: now)
    if let before = try await recorded(), before.mayBeUndone, before.vault == vault.url.description,
      let present = answer.status, present == .pending || present == ClaimStatus.none
    {
      _ = try await record(present == .pending ? .pending : .refused, level: .undone)
      return .undone
    }
    switch state {
    case .funded, .expiring: try await note(.pending)
    case .claimed, .refunded:
      guard let receipt = try await vault.receipt(of: terms, within: limit) else { break }
      let (before, paid) = (try await recorded(), receipt.receipt.receiver)
      // Whether this store's own request made the payment is found out when the request is sent again.
      let isRequest = before?.status == .asked && before?.account == paid.description
      if !isRequest { try await keep(receipt, for: OwnTransactions(before?.request).pay(paid) ? paid : nil) }
      return .settled(receipt)
    case .notFunded:
      // A vault that was asked to pay may have paid, whatever it answers now.
      if try await recorded()?.status != .asked { try await note(.refused) }
    case .settled, .unknown, .submitted, .undone: break
    }
    return state
  }

  /// Requests the payout. The claim's secret is not sent: the vault is sent a proof that is good for this receiver alone.
  ///
  /// - Throws: `FundingError` if the amount is not paid to this receiver, or not known to be; `StoreError`.
  public func claim(to receiver: Address) async throws -> Payment {
    let before = try await recorded()
    let wasAsked = before?.status == .asked || before?.mayBeUndone == true
    let session: PayoutSession
    do {
      session = try PayoutSession(
        claim, expiry: expiry, to: receiver, at: vault.vault, wasAsked: wasAsked,
        heldAt: wasAsked && before?.account == receiver.description ? before?.heldAt : nil)
    } catch {
      throw Self.notPayable(error, id, at: vault.url)
    }
    let request = Mutex<Funding?>(nil)
    let outcome = try await vault.client.run(session, within: vault.limit) { body, heldAt in
      let (funding, isWritten) = try await record(.asked, to: receiver, request: body, heldAt: heldAt)
      request.withLock { $0 = isWritten ? funding : nil }
      guard funding.vault == vault.url.description else {
        throw FundingError(
          .otherProcess, "another process has asked \(funding.vault) to pay claim \(id)",
          remedy: "Look what the store says about the claim", claim: id, vault: vault.url, other: funding.vault)
      }
    }
    return try await concluded(outcome, of: request.withLock(\.self), after: before, to: receiver)
  }

  /// Records how a payout ended.
  ///
  /// - Parameters:
  ///   - request: the record of the request; `nil` if it was not written.
  ///   - before: the record before it.
  private func concluded(
    _ outcome: PayoutOutcome, of request: Funding?, after before: Funding?, to receiver: Address
  ) async throws -> Payment {
    switch outcome {
    case .paid(let receipt):
      // Another process of this store may have recorded the same payment.
      return Payment(
        receipt: receipt.receipt, isNew: try await keep(receipt, for: receiver), isFinal: receipt.isFinal)
    case .alreadyPaid(let receipt):
      try await keep(receipt, for: receiver)
      return Payment(receipt: receipt.receipt, isNew: false, isFinal: receipt.isFinal)
    case .paidToAnother(let receipt):
      let said = receipt.receipt
      let own = OwnTransactions(try await recorded()?.request)
      let isOwn = before?.account == said.receiver.description || own.pay(said.receiver)
      try await keep(receipt, for: isOwn ? said.receiver : receiver)
      throw FundingError(
        .claimed,
        "claim \(id) was claimed\(isOwn ? "" : " by somebody else") at \(UTCTime.text(said.time)), to \(said.receiver)",
        remedy: isOwn ? "You had it paid there yourself" : "Ask its sender who else had it", claim: id, vault: vault.url
      )
    case .expired(let failure):
      try await note(.refused, to: receiver)
      throw FundingError(
        .expired, failure.reason, remedy: failure.remedy, claim: id, vault: vault.url, failure: failure)
    case .notFunded(let failure):
      try await takeBack(request, to: before)
      throw FundingError(
        .notFunded, "claim \(id) is not funded: \(failure.reason)", remedy: failure.remedy, claim: id,
        vault: vault.url, failure: failure)
    case .notPaid(let failure):
      try await takeBack(request, to: before)
      throw FundingError(failure, at: vault.url, about: id)
    case .perhapsPaid(let failure):
      if let error = FundingError.submitted(failure, "the payment of claim \(id)", id, vault.url) { throw error }
      throw FundingError(
        .perhapsPaid, "the vault may have paid claim \(id) to \(receiver): \(failure.reason)",
        remedy: "Nothing is paid twice. Try again", claim: id, vault: vault.url, failure: failure)
    }
  }

  /// Takes the recorded request back, which was certainly not carried out. Otherwise another's payment would pass for its
  /// result later.
  func takeBack(_ request: Funding?, to before: Funding?) async throws {
    guard let request, before?.status != .asked else { return }
    try await store.takeBack(request, to: before, of: claim, expiry: expiry, .incoming)
  }

  /// Records a receipt.
  ///
  /// - Returns: whether no receipt was recorded before.
  /// - Throws: `FundingError.secondReceipt` if it contradicts the recorded one; `StoreError`.
  @discardableResult
  private func keep(_ receipt: SignedReceipt, for account: Address? = nil) async throws -> Bool {
    let said = receipt.receipt
    let before = try await recorded()
    let (kept, isWritten) = try await store.replace(
      Funding(
        vault: vault.url.description, ledgerID: terms.ledgerID.description,
        status: said.outcome == .claimed ? .claimed : .refunded, account: account?.description ?? before?.account,
        transaction: said.transaction.description,
        receiver: said.outcome == .claimed ? said.receiver.description : nil, receipt: receipt.json.text,
        level: receipt.level, heldAt: before?.heldAt, updatedAt: now), of: claim, expiry: expiry, .incoming)
    try kept.check(receipt, of: id, by: vault.url)
    return isWritten && before?.status.isSettled != true
  }

  func recorded() async throws -> Funding? { try await store.funding(of: claim, .incoming) }

  private func note(_ status: Funding.Status, to account: Address? = nil) async throws {
    _ = try await record(status, to: account)
  }

  /// Returns what the store has then: the new record, or one of another process that may not be replaced. Transactions of
  /// one's own stay recorded, whatever a vault is asked and answers: one of them may be carried yet.
  private func record(
    _ status: Funding.Status, to account: Address? = nil, request: String? = nil, heldAt: Int64? = nil,
    level: Funding.Level? = nil
  ) async throws -> (funding: Funding, isWritten: Bool) {
    let before = try await recorded()
    let hasOwn = !OwnTransactions(before?.request).all.isEmpty
    return try await store.replace(
      Funding(
        vault: vault.url.description, ledgerID: terms.ledgerID.description, status: status,
        account: account?.description, request: hasOwn ? before?.request : request,
        transaction: hasOwn ? before?.transaction : nil, level: level, heldAt: heldAt, updatedAt: now),
      of: claim, expiry: expiry, .incoming)
  }
}
