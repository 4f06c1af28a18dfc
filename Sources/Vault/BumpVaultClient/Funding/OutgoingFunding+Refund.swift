import BumpClaims
import BumpStore
import BumpVaultAPI
public import BumpWallet

extension OutgoingFunding {
  /// Asks the vault for the state of the money, and records it. If the vault does not answer, the store does not change.
  /// Nothing is locked by it.
  ///
  /// - Parameter limit: how long the vault may take for each answer.
  /// - Throws: `FundingError.secondReceipt` if the vault contradicts its receipt of before; `StoreError`.
  public func refresh(within limit: Duration = VaultClient.limit) async throws {
    guard let funding = try await recorded(), !funding.isFinal else { return }
    if funding.status == .asked, let request = funding.request {
      // Until its end the authorization could still be used, and this refresh must not use it.
      guard
        Self.end(ofAuthorizationIn: request)?.hasPassed(at: now) == true,
        let session = try? DepositSession(again: request, of: id, terms, at: vault.vault)
      else { return }
      switch try await vault.client.run(session, within: limit) {
      case .locked(let transaction, _): _ = try await note(.pending, transaction: transaction)
      case .notLocked: _ = try await note(.refused, request: request)
      case .refused, .perhapsLocked: break
      }
    }
    let answer = try await vault.client.run(StatusSession(terms, at: vault.vault), within: limit)
    guard let status = answer.status else { return }
    if funding.status == .asked, status == .pending { _ = try await note(.pending) }
    if funding.mayBeUndone, status == .pending || status == ClaimStatus.none {
      // A reorganization took the payment or the refund back, or the deposit as well.
      _ = try await note(funding.isTakenBack ? .takingBack : .pending, level: .undone)
    }
    _ = try await record(status, within: limit)
  }

  /// Gets the amount of an expired claim back. It always goes to the wallet that paid.
  ///
  /// - Returns: the vault's receipt: of the refund, or of the payment to the wallet if the amount was taken back before.
  /// - Throws: `FundingError` if the amount is not refunded, or not known to be; `StoreError`. The `problem` of its
  ///   `failure` is `.notExpired` if the vault says so, with `.perhapsRefunded` too, where anybody may have said it: then
  ///   `takeBack(evenIfHandedOver:)` may get the amount back.
  public func refund() async throws -> SignedReceipt {
    let before = try await recorded()
    try await settleDeposit()
    switch try await vault.client.run(RefundSession(terms, at: vault.vault), within: vault.limit) {
    case .refunded(let receipt):
      try await keep(receipt)
      return receipt
    case .claimed(let receipt):
      try await keep(receipt)
      guard try await recorded()?.isTakenBack == true else { throw claimed(by: receipt) }
      return receipt
    case .tooEarly(let failure, let notBefore):
      let time = notBefore ?? claim.expiry.unixSeconds
      throw FundingError(
        .notExpired, "claim \(id) has not expired by the vault's clock",
        remedy: "Try again at \(UTCTime.text(time))", claim: id, vault: vault.url, time: time, failure: failure)
    case .notLocked(let failure):
      if before?.status == .asked, before?.request == nil { _ = try await note(.refused) }
      throw FundingError(
        .nothingToRefund, "the vault says that nothing is locked for claim \(id)", claim: id, vault: vault.url,
        failure: failure)
    case .failed(let failure): throw FundingError(failure, at: vault.url, about: id)
    case .perhapsRefunded(let failure):
      if let error = FundingError.submitted(failure, "the refund of claim \(id)", id, vault.url) { throw error }
      throw FundingError(
        .perhapsRefunded, "the vault may have refunded claim \(id): \(failure.reason)",
        remedy: "Nothing is refunded twice. Try again", claim: id, vault: vault.url, failure: failure)
    }
  }

  /// Returns the error for a claim whose amount its receiver was paid.
  func claimed(by signed: SignedReceipt) -> FundingError {
    let receipt = signed.receipt
    return FundingError(
      .claimed, "claim \(id) was claimed to \(receipt.receiver) at \(UTCTime.text(receipt.time))", claim: id,
      vault: vault.url)
  }

  /// Finds out, before the amount is asked back, whether a deposit was carried out whose answer is not known.
  ///
  /// - Throws: `FundingError` if it was not, or if that is not known.
  func settleDeposit() async throws {
    guard let funding = try await recorded(), funding.status == .asked, let request = funding.request else { return }
    // Until its end the authorization can still be used, and a refund must not use it.
    if let end = Self.end(ofAuthorizationIn: request), !end.hasPassed(at: now) {
      throw FundingError(
        .depositOpen, "it is not known whether anything is locked for claim \(id)",
        remedy: "The vault may lock it until \(UTCTime.text(end.unixSeconds)). Then try again", claim: id,
        vault: vault.url, time: end.unixSeconds)
    }
    switch try await again(request) {
    case .locked(let transaction, _): _ = try await note(.pending, transaction: transaction)
    case .notLocked(let failure):
      _ = try await note(.refused, request: request)
      throw FundingError(
        .nothingToRefund, "nothing is locked for claim \(id), so there is nothing to refund", claim: id,
        vault: vault.url, failure: failure)
    case .refused(_, let failure), .perhapsLocked(_, let failure):
      throw FundingError(
        .depositUnknown, "it is not known whether anything is locked for claim \(id): \(failure.reason)",
        remedy: "Try again later", claim: id, vault: vault.url, failure: failure)
    }
  }
}
