import BumpClaims
import BumpStore
import BumpVaultAPI
public import BumpWallet

extension OutgoingFunding {
  /// The vault's statement that the claim's amount is locked.
  public struct Lock: Hashable, Sendable {
    /// The deposit's transaction, if the vault named it now; `nil` if it did so before.
    public let transaction: Bytes32?
  }

  /// A step of `lockReplacing(from:leaving:onStep:)`.
  public enum LockStep: Sendable {
    /// The vault is about to be asked to lock this claim's amount.
    case asking(OutgoingFunding)
    /// Somebody else has used this claim's id at the vault. Another claim is made.
    case idTaken(OutgoingFunding)
  }

  /// The greatest number of claims that are made if somebody else uses their ids.
  private static let mostClaims = 3

  /// Locks the amount, or finds that it is locked.
  ///
  /// - Parameters:
  ///   - wallet: the key that pays. It is read only if a deposit is to be made.
  ///   - margin: how much time the claim must have left.
  /// - Throws: `FundingError`, `StoreError`, and what reading the wallet throws. Then the amount is not locked, or not
  ///   known to be, and the claim must not be handed over.
  @discardableResult public func lock(
    from wallet: @autoclosure @Sendable () throws -> PrivateKey, leaving margin: ExpiryMargin = .standard
  ) async throws -> Lock {
    if let lock = try await present(leaving: margin) { return lock }
    let key = try wallet()
    let session = DepositSession(id, terms, from: key, at: vault.vault)
    let outcome = try await vault.client.run(session, within: vault.limit) { request in
      let kept = try await note(.asked, account: key.address.description, request: request)
      // Another process may have requested the deposit meanwhile.
      guard kept.status == .asked, kept.request == request else {
        throw FundingError(
          .otherProcess, "another process locks the money of claim \(id)",
          remedy: "Look what the store says about the claim", claim: id, vault: vault.url)
      }
    }
    switch try await concluded(outcome) {
    case .success(let lock): return lock
    case .failure(let failure):
      let isTaken = failure.problem == .idTaken
      throw FundingError(
        isTaken ? .idTaken : .notLocked, "claim \(id) was not sent. Nothing is locked for it: \(failure.reason)",
        remedy: isTaken ? "Make another claim" : failure.remedy, claim: id, amount: claim.claim.amount,
        token: claim.claim.token, vault: vault.url, failure: failure)
    }
  }

  /// Locks the amount of a claim that nobody has seen. If somebody else has used its id at the vault, makes another claim
  /// of the same amount and expiry, and locks that: three claims at most.
  ///
  /// - Parameter onStep: called before each request, and if an id is taken.
  /// - Returns: the money of the claim to hand over, which may be another claim.
  /// - Throws: as `lock(from:leaving:)`. Then no claim must be handed over.
  public func lockReplacing(
    from wallet: @autoclosure @Sendable () throws -> PrivateKey, leaving margin: ExpiryMargin = .standard,
    onStep: @Sendable (LockStep) -> Void = { _ in }
  ) async throws -> (funding: OutgoingFunding, lock: Lock) {
    var funding = self
    for left in (0..<Self.mostClaims).reversed() {
      onStep(.asking(funding))
      do {
        return (funding, try await funding.lock(from: try wallet(), leaving: margin))
      } catch let error as FundingError where error.code == .idTaken && left > 0 {
        onStep(.idTaken(funding))
        let claim = funding.claim
        funding = try await Self.make(
          claim.claim.amount, claim.claim.token, expiry: claim.expiry, at: vault, leaving: margin, in: store)
      }
    }
    preconditionFailure("the last claim is locked, or fails")
  }

  /// Checks that the amount is locked, before the claim is given to anybody.
  ///
  /// - Parameter margin: how much time the claim must have left.
  /// - Throws: `FundingError` if the amount is not locked, or not known to be; `StoreError`.
  public func checkLocked(leaving margin: ExpiryMargin = .standard) async throws {
    guard try await present(leaving: margin) != nil else {
      throw FundingError(
        .nothingLocked, "nothing is locked for claim \(id)", remedy: "Lock its money", claim: id, vault: vault.url)
    }
  }

  /// Finds out whether the amount is locked. Requests a deposit again if its result is not certain.
  ///
  /// - Returns: `nil` if nothing is locked: no deposit was requested, or it can no longer be carried out.
  /// - Throws: `FundingError` if the result cannot be known now, or if the money was claimed or refunded.
  private func present(leaving margin: ExpiryMargin) async throws -> Lock? {
    let funding = try await recorded()
    guard margin.isLeft(before: claim.expiry, at: now) else {
      let isLocked = funding?.status ?? .refused != .refused
      throw FundingError(
        isLocked ? .lockedExpiresTooSoon : .expiresTooSoon,
        "claim \(id) expires at \(UTCTime.text(claim.expiry.unixSeconds)), within \(margin): too little for its "
          + "receiver to claim it",
        remedy: isLocked ? "Then get its money back" : "Make another claim", claim: id, amount: claim.claim.amount,
        token: claim.claim.token, vault: vault.url)
    }
    switch funding?.status {
    case .pending?:
      try await checkPending()
      return Lock(transaction: nil)
    case .takingBack?, .claimed?, .refunded?: throw isSettled(funding?.status ?? .claimed, funding)
    case .asked?:
      guard let request = funding?.request else { return try await presentAfterRestore() }
      guard case .success(let lock) = try await concluded(try await again(request), of: request) else { return nil }
      return lock
    case .refused?, nil: return nil
    }
  }

  /// Asks the vault whether the amount is locked. The store was restored from a backup, so it does not have the request of
  /// a deposit that was perhaps made since: nothing can be requested again.
  ///
  /// - Throws: `FundingError.perhapsLocked` unless the vault says that the amount is locked.
  func presentAfterRestore() async throws -> Lock {
    let answer = try? await vault.client.run(StatusSession(terms, at: vault.vault)).get()
    if let status = answer?.status {
      try await check(status)
      if status == .pending {
        _ = try await note(.pending)
        return Lock(transaction: nil)
      }
    }
    throw FundingError(
      .perhapsLocked,
      "\(mayBeLocked): the store was restored from a backup, and the vault does not say that they are locked",
      remedy: "Make another claim. If this one's money was locked, get it back after "
        + UTCTime.text(claim.expiry.unixSeconds),
      claim: id, amount: claim.claim.amount, token: claim.claim.token, vault: vault.url, time: claim.expiry.unixSeconds)
  }

  /// Asks the vault whether the money was claimed since it was locked: the store has the vault's answer to the deposit.
  /// The vault may not answer.
  private func checkPending() async throws {
    switch try await vault.client.run(StatusSession(terms, at: vault.vault)) {
    case .success(let answer) where answer.isSubmitted:
      throw FundingError(
        .submitted, "a reorganization of the chain took back the deposit of claim \(id), and it is carried again",
        remedy: "Ask again later", claim: id, vault: vault.url)
    case .success(let answer) where answer.status == .none: throw isDenied
    case .success(let answer): try await check(answer.status)
    case .failure(let failure) where failure.problem == .unknownClaim: throw isDenied
    case .failure(let failure) where [.changed, .untrusted].contains(failure.code):
      throw FundingError(failure, at: vault.url, about: id)
    case .failure: break
    }
  }

  private var isDenied: FundingError {
    guard !vault.vault.pinned.vault.isContract else {
      return FundingError(
        .denied, "a reorganization of the chain took back the deposit of claim \(id), and nothing is locked for it now",
        remedy: "Make another claim", claim: id, vault: vault.url)
    }
    return FundingError(
      .denied,
      "the vault \(vault.url) no longer knows claim \(id), although it has said that the claim's money is locked",
      remedy: "Ask the vault's operator", claim: id, vault: vault.url)
  }

  /// Records how a deposit ended.
  ///
  /// - Parameter request: the request that had this outcome; `nil` for the one that was recorded last.
  private func concluded(
    _ outcome: DepositOutcome, of request: String? = nil
  ) async throws -> Result<Lock, VaultFailure> {
    switch outcome {
    case .locked(let transaction, let status):
      _ = try await note(.pending, transaction: transaction)
      try await check(status)
      return .success(Lock(transaction: transaction))
    case .notLocked(let failure), .refused(_, let failure):
      _ = try await note(.refused, request: request)
      return .failure(failure)
    case .perhapsLocked(let until, let failure):
      if let error = FundingError.submitted(failure, "the deposit of claim \(id)", id, vault.url) { throw error }
      throw perhapsLocked(until, failure)
    }
  }

  /// Returns the error for a deposit that the store keeps as requested: once its time is over, the vault is asked once
  /// more.
  private func perhapsLocked(_ until: Expiry, _ failure: VaultFailure) -> FundingError {
    let time = until.hasPassed(at: now) ? nil : until.unixSeconds
    return FundingError(
      .perhapsLocked, "\(mayBeLocked): \(failure.reason)",
      remedy: (time.map { "The vault may lock them until \(UTCTime.text($0)). " } ?? "") + "Ask it again", claim: id,
      vault: vault.url, time: time, failure: failure)
  }

  /// The claim is not handed over while a deposit is in doubt.
  private var mayBeLocked: String {
    "claim \(id) was not sent. The vault may have locked \(claim.claim.amount) \(claim.claim.token) for it"
  }

  /// Checks that the vault does not report the claim as claimed or refunded, and records the receipt if it does.
  ///
  /// - Throws: `FundingError` if the money was claimed or refunded, also if only the vault's word says so.
  private func check(_ status: ClaimStatus) async throws {
    guard status == .claimed || status == .refunded else { return }
    if let receipt = try await record(status, within: VaultClient.limit) {
      throw isSettled(receipt.receipt.outcome == .claimed ? .claimed : .refunded, try await recorded())
    }
    throw FundingError(
      .noReceipt, "claim \(id) was \(status.rawValue), says \(vault.url) without a receipt", remedy: "Try again",
      claim: id, vault: vault.url)
  }

  /// Returns the error for a claim that its receiver would have nothing of.
  ///
  /// - Parameter funding: what the store has about the money.
  private func isSettled(_ status: Funding.Status, _ funding: Funding?) -> FundingError {
    let remedy = "Look what the store says about the claim"
    guard let funding, funding.forbidsHandover else {
      return FundingError(
        .settled, "claim \(id) was \(status.rawValue) at its vault already", remedy: remedy, claim: id,
        vault: vault.url)
    }
    return FundingError(
      .takenBack, "the money of claim \(id) \(funding.isTakenBack ? "was" : "is being") taken back", remedy: remedy,
      claim: id, vault: vault.url)
  }
}
