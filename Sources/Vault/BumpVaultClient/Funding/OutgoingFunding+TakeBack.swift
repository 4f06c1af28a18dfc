import BumpClaims
import BumpStore
import BumpVaultAPI
public import BumpWallet

extension OutgoingFunding {
  /// Takes the locked amount back before the claim expires. The one who made a claim knows its secret too, so this claims
  /// the amount for the wallet that paid it. The vault pays whoever claims first: a receiver of the claim was paid before,
  /// or gets nothing afterwards.
  ///
  /// Before the vault is asked, the store has that the amount is being taken back. From then on the claim is not handed over
  /// any more, whatever the vault answers. Where the answer was lost, ask again: nothing is paid twice.
  ///
  /// - Parameter evenIfHandedOver: whether the owner has consented to take back a claim that somebody may have, or its
  ///   link. A claim that is new needs no consent.
  /// - Returns: the vault's receipt: of the payment to the wallet, or of the refund if the claim has expired.
  /// - Throws: `FundingError`: `.handedOver` if consent is missing, `.inFlight` while a receiver may still take the claim,
  ///   `.claimed` if a receiver was quicker, and `.perhapsRefunded` where only a receipt ends the doubt. Over plain HTTP to
  ///   another machine that is so for every refusal. `StoreError`.
  public func takeBack(evenIfHandedOver: Bool = false) async throws -> SignedReceipt {
    try await settleDeposit()
    if try await recorded()?.status == .asked { _ = try await presentAfterRestore() }
    let outcome = try await vault.client.run(try await payoutToSender(), within: vault.limit) { _ in
      try await beginTakingBack(evenIfHandedOver: evenIfHandedOver)
    }
    switch outcome {
    case .paid(let receipt), .alreadyPaid(let receipt):
      try await keep(receipt)
      return receipt
    case .paidToAnother(let receipt):
      try await keep(receipt)
      throw claimed(by: receipt)
    case .expired: return try await refund()
    // Anybody may have said so. A refund is final with its receipt alone too.
    case .perhapsPaid(let failure) where failure.problem == .expired: return try await refund()
    case .notFunded(let failure):
      throw FundingError(
        .nothingToRefund, "the vault says that nothing is locked for claim \(id)", claim: id, vault: vault.url,
        failure: failure)
    case .notPaid(let failure): throw FundingError(failure, at: vault.url, about: id)
    case .perhapsPaid(let failure):
      if let error = FundingError.submitted(failure, "the return of the money of claim \(id)", id, vault.url) {
        throw error
      }
      throw FundingError(
        .perhapsRefunded, "the vault may have paid the money of claim \(id) back: \(failure.reason)",
        remedy: "Nothing is paid twice. Try again", claim: id, vault: vault.url, failure: failure)
    }
  }

  /// Returns whether the store has that the amount was paid back to the wallet that had locked it.
  ///
  /// - Throws: `StoreError`.
  public func isTakenBack() async throws -> Bool { try await recorded()?.isTakenBack == true }

  /// Returns the wallet of the deposit, and what the store has about the money.
  func senderWallet() async throws -> (Address, Funding) {
    guard let funding = try await recorded(), funding.status != .refused else {
      throw FundingError(
        .nothingToRefund, "nothing is locked for claim \(id), so there is nothing to take back", claim: id,
        vault: vault.url)
    }
    guard let wallet = funding.account.flatMap({ try? Address($0) }) else {
      let expiry = UTCTime.text(claim.expiry.unixSeconds)
      throw FundingError(
        .notPayable,
        "it is not known which wallet locked the money of claim \(id): the store was restored from a backup",
        remedy: "The vault refunds it to that wallet after \(expiry)", claim: id, vault: vault.url,
        time: claim.expiry.unixSeconds)
    }
    return (wallet, funding)
  }

  /// Returns the session that has the amount paid to the wallet of the deposit.
  private func payoutToSender() async throws -> PayoutSession {
    let (wallet, funding) = try await senderWallet()
    do {
      return try PayoutSession(
        claim.claim, expiry: claim.expiry, to: wallet, at: vault.vault, wasAsked: funding.status == .takingBack)
    } catch {
      throw FundingError(
        .notPayable, "the claim cannot be paid: \(error.reason)", remedy: error.remedy, claim: id, vault: vault.url)
    }
  }

  /// Records that the amount is being taken back, unless somebody may have the claim and the owner has not consented.
  ///
  /// - Parameter isLocked: whether a chain has the deposit, even if the store has only that it was asked for.
  func beginTakingBack(evenIfHandedOver: Bool, isLocked: Bool = false) async throws {
    let record = try await next(.takingBack)
    switch try await store.beginTakingBack(
      id, as: record, evenIfHandedOver: evenIfHandedOver, isLocked: isLocked)
    {
    case .begun: return
    case .handedOver(let claim): throw handedOver(claim)
    case .notLocked, .missing: throw FundingError.otherProcess(id, vault.url)
    }
  }

  /// Returns the error for a claim that somebody may have, or its link.
  func handedOver(_ claim: OutgoingClaim) -> FundingError {
    let peer = claim.peer?.quoted ?? "somebody"
    if let deadline = claim.deadline {
      return FundingError(
        .inFlight,
        "claim \(id) was sent to \(peer), who may still take it for \(max(0, deadline - UnixTime.now())) s",
        remedy: "Try again then", claim: id, vault: vault.url, time: deadline)
    }
    return FundingError(
      .handedOver, "claim \(id) has not expired, and \(peer) may have it or its link",
      remedy: "Take it back all the same: whoever claims first gets the money", claim: id, vault: vault.url)
  }
}
