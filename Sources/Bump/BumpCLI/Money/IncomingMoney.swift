import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet
import Synchronization

/// The money of a received claim at a vault: asks whether the money is there, and requests the payout.
struct IncomingMoney: Sendable {
  let claim: Claim
  let expiry: Expiry
  let access: ConfirmedVault
  private let store: ClaimStore
  private let terms: ClaimTerms

  private var id: ClaimID { claim.id }

  /// - Throws: `CommandError` if the vault does not hold the claim's token.
  init(_ claim: Claim, expiry: Expiry, at access: ConfirmedVault, in store: ClaimStore) throws {
    (self.claim, self.expiry, self.access, self.store) = (claim, expiry, access, store)
    do {
      terms = try ClaimTerms(claim, expiry: expiry, at: access.vault)
    } catch {
      throw Self.notPayable(error)
    }
  }

  private static func notPayable(_ error: WalletError) -> CommandError {
    CommandError(.failure, "the claim cannot be paid: \(error.reason)", remedy: error.remedy)
  }

  /// Asks the vault whether the money is there, and records the answer. Of a final state only the vault's receipt is
  /// recorded: the rest is its word, and it is asked again the next time.
  ///
  /// - Throws: `StoreError`; `CommandError` if the vault contradicts its receipt of before.
  func state(
    leaving margin: ExpiryMargin = .standard, within limit: Duration = VaultClient.limit
  ) async throws -> FundingState {
    let answer = try await access.client.run(StatusSession(terms, at: access.vault), within: limit)
    let state = FundingState(answer, leaving: margin, at: UnixTime.now())
    switch state {
    case .funded, .expiring: try await note(.pending)
    case .claimed, .refunded:
      guard let receipt = try await access.receipt(of: terms, within: limit) else { break }
      let before = try await store.funding(of: claim, .incoming)
      // Whether this store's own request made the payment is found out when the request is sent again.
      let isOwn = before?.status == .asked && before?.account == receipt.receipt.receiver.description
      if !isOwn { try await keep(receipt) }
      return .settled(receipt)
    case .notFunded:
      // A vault that was asked to pay may have paid, whatever it answers now.
      if try await store.funding(of: claim, .incoming)?.status != .asked { try await note(.refused) }
    case .settled, .unknown: break
    }
    return state
  }

  /// Requests the payout.
  ///
  /// - Throws: `CommandError` if the amount is not paid to this receiver, or not known to be; `StoreError`.
  func claim(to receiver: Address) async throws -> Payment {
    let before = try await store.funding(of: claim, .incoming)
    let wasAsked = before?.status == .asked
    let session: PayoutSession
    do {
      session = try PayoutSession(
        claim, expiry: expiry, to: receiver, at: access.vault, wasAsked: wasAsked,
        heldAt: wasAsked && before?.account == receiver.description ? before?.heldAt : nil)
    } catch {
      throw Self.notPayable(error)
    }
    let recorded = Mutex<Funding?>(nil)
    let outcome = try await access.client.run(session) { request, heldAt in
      let (funding, isWritten) = try await record(.asked, to: receiver, request: request, heldAt: heldAt)
      recorded.withLock { $0 = isWritten ? funding : nil }
      guard funding.vault == access.url.description else {
        throw CommandError(
          .failure, "another process has asked \(funding.vault) to pay claim \(id)", remedy: "See: bump show \(id)")
      }
    }
    switch outcome {
    case .paid(let receipt):
      // Another process of this store may have recorded the same payment.
      return Payment(receipt: receipt.receipt, isNew: try await keep(receipt, for: receiver))
    case .alreadyPaid(let receipt):
      try await keep(receipt, for: receiver)
      return Payment(receipt: receipt.receipt, isNew: false)
    case .paidToAnother(let receipt):
      try await keep(receipt, for: receiver)
      throw CommandError(
        .failure, "claim \(id) was claimed to \(receipt.receipt.receiver) at \(UTCTime.text(receipt.receipt.time))",
        remedy: before?.account == receipt.receipt.receiver.description
          ? "You had it paid there yourself" : "Ask its sender who else had it")
    case .expired(let failure):
      try await note(.refused, to: receiver)
      throw CommandError(.expired, failure.reason, remedy: failure.remedy)
    case .notFunded(let failure):
      try await takeBack(recorded.withLock(\.self), to: before)
      throw CommandError(.failure, "claim \(id) is not funded: \(failure.reason)", remedy: failure.remedy)
    case .notPaid(let failure):
      try await takeBack(recorded.withLock(\.self), to: before)
      throw CommandError(failure, at: access.url)
    case .perhapsPaid(let failure):
      throw CommandError(
        .unknown, "claim \(id) is perhaps paid to \(receiver): \(failure.reason)",
        remedy: "Nothing is paid twice. Try again with: bump claim \(id)")
    }
  }

  /// Takes the recorded request back, which was certainly not carried out. Otherwise another's payment would pass for its
  /// result later.
  private func takeBack(_ recorded: Funding?, to before: Funding?) async throws {
    guard let recorded, before?.status != .asked else { return }
    try await store.takeBack(recorded, to: before, of: claim, expiry: expiry, .incoming)
  }

  /// Records a receipt.
  ///
  /// - Returns: whether no receipt was recorded before.
  /// - Throws: `CommandError` if it contradicts the recorded one; `StoreError`.
  @discardableResult
  private func keep(_ receipt: SignedReceipt, for account: Address? = nil) async throws -> Bool {
    let said = receipt.receipt
    let before = try await store.funding(of: claim, .incoming)
    let (kept, isWritten) = try await store.replace(
      Funding(
        vault: access.url.description, ledgerID: terms.ledgerID.description,
        status: said.outcome == .claimed ? .claimed : .refunded, account: account?.description ?? before?.account,
        transaction: said.transaction.description,
        receiver: said.outcome == .claimed ? said.receiver.description : nil, receipt: receipt.json.text,
        heldAt: before?.heldAt, updatedAt: UnixTime.now()), of: claim, expiry: expiry, .incoming)
    try kept.check(receipt, of: id, by: access.url)
    return isWritten
  }

  private func note(_ status: Funding.Status, to account: Address? = nil) async throws {
    _ = try await record(status, to: account)
  }

  /// Returns what the store has then: the new record, or one of another process that may not be replaced.
  private func record(
    _ status: Funding.Status, to account: Address? = nil, request: String? = nil, heldAt: Int64? = nil
  ) async throws -> (funding: Funding, isWritten: Bool) {
    try await store.replace(
      Funding(
        vault: access.url.description, ledgerID: terms.ledgerID.description, status: status,
        account: account?.description, request: request, heldAt: heldAt, updatedAt: UnixTime.now()),
      of: claim, expiry: expiry, .incoming)
  }
}
