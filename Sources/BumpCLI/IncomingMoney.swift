import BumpClaims
import BumpKit
import BumpVault
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

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

  /// Asks the vault whether the money is there, and records the answer.
  ///
  /// - Throws: `StoreError`.
  func state(
    leaving margin: ExpiryMargin = .standard, within limit: Duration = VaultClient.limit
  ) async throws -> FundingState {
    let answer = try await access.client.run(StatusSession(terms, at: access.vault), within: limit)
    let state = FundingState(answer, leaving: margin, at: UnixTime.now())
    switch state {
    case .funded, .expiring: try await note(.pending)
    case .claimed(let answer): try await note(.claimed, said: answer)
    case .refunded(let answer): try await note(.refunded, said: answer)
    case .notFunded:
      // A vault that was asked to pay may have paid, whatever it answers now.
      if try await store.funding(of: claim, .incoming)?.status != .asked { try await note(.refused) }
    case .unknown: break
    }
    return state
  }

  /// Requests the payout.
  ///
  /// - Throws: `CommandError` if the amount is not paid to this receiver, or not known to be; `StoreError`.
  func claim(to receiver: Address) async throws -> SignedReceipt {
    let before = try await store.funding(of: claim, .incoming)
    let session: PayoutSession
    do {
      session = try PayoutSession(
        claim, expiry: expiry, to: receiver, at: access.vault, wasAsked: before?.status == .asked)
    } catch {
      throw Self.notPayable(error)
    }
    let outcome = try await access.client.run(session) { try await note(.asked, to: receiver, request: $0) }
    switch outcome {
    case .paid(let receipt):
      try await note(.claimed, to: receiver, receipt: receipt).check(receipt, of: id, by: access.url)
      return receipt
    case .paidToAnother(let receipt):
      try await note(.claimed, to: receiver, receipt: receipt).check(receipt, of: id, by: access.url)
      throw CommandError(
        .failure, "claim \(id) was claimed to \(receipt.receipt.receiver) at \(UTCTime.text(receipt.receipt.time))",
        remedy: before?.account == receipt.receipt.receiver.description
          ? "You had it paid there yourself" : "Ask its sender who else had it")
    case .expired(let failure):
      try await note(.refused, to: receiver)
      throw CommandError(.expired, failure.reason, remedy: failure.remedy)
    case .notFunded(let failure):
      throw CommandError(.failure, "claim \(id) is not funded: \(failure.reason)", remedy: failure.remedy)
    case .notPaid(let failure):
      throw CommandError(failure, at: access.url)
    case .perhapsPaid(let failure):
      throw CommandError(
        .unknown, "claim \(id) is perhaps paid to \(receiver): \(failure.reason)",
        remedy: "Nothing is paid twice. Try again with: bump claim \(id)")
    }
  }

  @discardableResult
  private func note(
    _ status: Funding.Status, to account: Address? = nil, request: String? = nil, receipt: SignedReceipt? = nil,
    said answer: ClaimAnswer? = nil
  ) async throws -> Funding {
    let transaction = receipt?.receipt.transaction ?? answer?.transaction
    let receiver = receipt?.receipt.receiver ?? answer?.receiver
    return try await store.note(
      Funding(
        vault: access.url.description, ledgerID: terms.ledgerID.description, status: status,
        account: account?.description, request: request, transaction: transaction?.description,
        receiver: receiver?.description, receipt: receipt?.json.text, updatedAt: UnixTime.now()),
      of: claim, expiry: expiry, .incoming)
  }
}
