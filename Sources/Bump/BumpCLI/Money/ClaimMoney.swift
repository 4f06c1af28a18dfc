import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

/// The money of a claim made here, at a vault. Locks the money before the claim is handed over, and updates what the
/// store knows about it.
struct ClaimMoney: Sendable {
  let claim: OutgoingClaim
  let access: ConfirmedVault
  let store: ClaimStore
  private let terms: ClaimTerms

  private var id: ClaimID { claim.claim.id }
  private var money: String { "\(claim.claim.amount) \(claim.claim.token)" }

  /// - Throws: `CommandError` if the vault does not hold the claim's token.
  init(_ claim: OutgoingClaim, at access: ConfirmedVault, in store: ClaimStore) throws {
    (self.claim, self.access, self.store) = (claim, access, store)
    terms = try Self.terms(of: claim.claim, expiry: claim.expiry, at: access)
  }

  /// Makes a claim whose money the vault is to lock. The store records from the start that nothing is locked yet:
  /// otherwise, after a crash or a refusal, the claim would be handed over as one that needs no vault.
  ///
  /// - Parameter margin: how much time the claim must have left.
  /// - Throws: `CommandError` if the vault does not hold the token, or if the claim expires too soon. Then no claim is
  ///   made.
  static func newClaim(
    _ amount: Amount, _ token: Token, expiry: Expiry, at access: ConfirmedVault, leaving margin: ExpiryMargin,
    in store: ClaimStore, now: Int64
  ) async throws -> OutgoingClaim {
    guard margin.isLeft(before: expiry, at: now) else {
      throw CommandError(
        .expired, "the claim expires within \(margin): too little for its receiver to claim it",
        remedy: "Give it more time, such as --expires 1h")
    }
    return try await store.create(amount: amount, token: token, expiry: expiry, at: now) { claim in
      let terms = try terms(of: claim, expiry: expiry, at: access)
      return Funding(
        vault: access.url.description, ledgerID: terms.ledgerID.description, status: .refused, updatedAt: now)
    }
  }

  private static func terms(of claim: Claim, expiry: Expiry, at access: ConfirmedVault) throws -> ClaimTerms {
    do {
      return try ClaimTerms(claim, expiry: expiry, at: access.vault)
    } catch {
      throw CommandError(.failure, "the vault \(access.url) does not hold \(claim.token)")
    }
  }

  private func note(
    _ status: Funding.Status, account: String? = nil, request: String? = nil, transaction: Bytes32? = nil,
    receiver: Address? = nil, receipt: SignedReceipt? = nil
  ) async throws -> Funding {
    let before = try await store.funding(of: claim.claim, .outgoing)
    return try await store.note(
      Funding(
        vault: access.url.description, ledgerID: terms.ledgerID.description, status: status,
        account: account ?? before?.account, request: request ?? before?.request,
        transaction: transaction.map(\.description) ?? before?.transaction, receiver: receiver?.description,
        receipt: receipt?.json.text, updatedAt: UnixTime.now()),
      of: claim.claim, expiry: claim.expiry, .outgoing)
  }

  /// How locking a claim's money ended.
  enum LockOutcome {
    /// The money is locked. The value is the deposit's transaction, if the deposit was made now.
    case locked(Bytes32?)
    /// Somebody else has used the claim's id at the vault. None of our money is locked under it, nor will be.
    case idTaken(CommandError)
  }

  /// Locks the amount, or finds that it is locked.
  ///
  /// - Parameters:
  ///   - wallet: reads the key that pays, if a deposit is to be made.
  ///   - margin: how much time the claim must have left.
  /// - Throws: `CommandError` if the money is not locked, or not known to be. Then the claim must not be handed over.
  func lock(from wallet: () throws -> PrivateKey, leaving margin: ExpiryMargin) async throws -> LockOutcome {
    if case .locked(let transaction) = try await standing(leaving: margin) { return .locked(transaction) }
    let key = try wallet()
    let session = DepositSession(id, terms, from: key, at: access.vault)
    let outcome = try await access.client.run(session) { request in
      let standing = try await note(.asked, account: key.address.description, request: request)
      // Another process may have requested the deposit meanwhile.
      guard standing.status == .asked, standing.request == request else {
        throw CommandError(
          .failure, "another process locks the money of claim \(id)", remedy: "See: bump show \(id)")
      }
    }
    switch try await concluded(outcome) {
    case .locked(let transaction): return .locked(transaction)
    case .notLocked(let failure):
      let error = CommandError(
        .failure, Self.notLocked(failure),
        remedy: failure.problem == .idTaken
          ? "Make another claim: bump send \(claim.claim.amount) --vault \(access.url)"
          : CommandError(failure, at: access.url).remedy)
      guard failure.problem == .idTaken else { throw error }
      return .idTaken(error)
    }
  }

  private static func notLocked(_ failure: VaultFailure) -> String {
    "nothing is locked, and nothing was sent: \(failure.reason)"
  }

  /// Checks that the amount is locked, before the claim is given to anybody.
  ///
  /// - Parameter margin: how much time the claim must have left.
  /// - Throws: `CommandError` if the amount is not locked, or not known to be.
  func checkLocked(leaving margin: ExpiryMargin) async throws {
    guard case .locked = try await standing(leaving: margin) else {
      throw CommandError(
        .failure, "nothing is locked for claim \(id)", remedy: "Lock its money with: bump send --again \(id)")
    }
  }

  /// Whether the amount is locked, if that is certain.
  private enum Standing {
    /// The value is the deposit's transaction, if its answer was received now.
    case locked(Bytes32?)
    case notLocked(VaultFailure)
  }

  /// Finds out whether the amount is locked. Requests a deposit again if its result is not certain.
  ///
  /// - Returns: `.notLocked` if the deposit can no longer be carried out; `nil` if none was requested.
  /// - Throws: `CommandError` if the result cannot be known now, or if the money was claimed or refunded.
  private func standing(leaving margin: ExpiryMargin) async throws -> Standing? {
    let funding = try await store.funding(of: claim.claim, .outgoing)
    guard margin.isLeft(before: claim.expiry, at: UnixTime.now()) else {
      let isRefused = funding?.status ?? .refused == .refused
      throw CommandError(
        .expired,
        "claim \(id) expires at \(UTCTime.text(claim.expiry.unixSeconds)), within \(margin): too little for its "
          + "receiver to claim it",
        remedy: isRefused
          ? "Make another: bump send \(claim.claim.amount)" : "Then get its money back: bump refund \(id)")
    }
    switch funding?.status {
    case .pending?:
      // The store has the vault's answer to the deposit. Ask the vault whether the money was claimed since; it may not
      // answer.
      switch try await access.client.run(StatusSession(terms, at: access.vault)) {
      case .success(let answer) where answer.status == .none: throw isGone
      case .success(let answer): try await check(answer.status)
      case .failure(let failure) where failure.problem == .unknownClaim: throw isGone
      case .failure(let failure) where [.changed, .untrusted].contains(failure.code):
        throw CommandError(failure, at: access.url)
      case .failure: break
      }
      return .locked(nil)
    case .claimed?, .refunded?: throw isOver(funding?.status ?? .claimed)
    case .asked?:
      let request = funding?.request ?? ""
      return try await concluded(try await again(request), of: request)
    case .refused?, nil: return nil
    }
  }

  private var isGone: CommandError {
    CommandError(
      .failure, "the vault \(access.url) knows of no claim \(id), although it has said that its money is locked",
      remedy: "Ask the vault's operator")
  }

  /// Requests a deposit again whose answer is not known, with the same request.
  private func again(_ request: String) async throws -> DepositOutcome {
    do {
      return try await access.client.run(DepositSession(again: request, of: id, terms, at: access.vault))
    } catch let error as RequestError {
      throw CommandError(.failure, "the store's record of the deposit of claim \(id) is damaged: \(error.reason)")
    }
  }

  /// - Parameter request: the request that had this outcome; `nil` for the one that was recorded last.
  private func concluded(_ outcome: DepositOutcome, of request: String? = nil) async throws -> Standing {
    switch outcome {
    case .locked(let transaction, let status):
      _ = try await note(.pending, transaction: transaction)
      try await check(status)
      return .locked(transaction)
    case .notLocked(let failure):
      _ = try await note(.refused, request: request)
      return .notLocked(failure)
    case .refused(_, let failure):
      _ = try await note(.refused, request: request)
      return .notLocked(failure)
    case .perhapsLocked(let until, let failure): throw perhapsLocked(until, failure.reason)
    }
  }

  /// Returns the error for a deposit that the store keeps as requested: once its time is over, the vault is asked once
  /// more.
  private func perhapsLocked(_ until: Expiry, _ reason: String) -> CommandError {
    let isOver = until.hasPassed(at: UnixTime.now())
    return CommandError(
      .unknown, "the \(money) of claim \(id) are perhaps locked, and nothing was sent: \(reason)",
      remedy: (isOver ? "" : "The vault may take them until \(UTCTime.text(until.unixSeconds)). ")
        + "Ask it again with: bump send --again \(id)")
  }

  /// Checks that the vault does not report the claim as claimed or refunded, and records the receipt if it does.
  ///
  /// - Throws: `CommandError` if the money was claimed or refunded, also if only the vault's word says so.
  private func check(_ status: ClaimStatus) async throws {
    guard status == .claimed || status == .refunded else { return }
    if let receipt = try await record(status, within: VaultClient.limit) {
      throw isOver(receipt.receipt.outcome == .claimed ? .claimed : .refunded)
    }
    throw CommandError(
      .failure, "claim \(id) was \(status.rawValue), says \(access.url) without a receipt",
      remedy: "Try again with: bump send --again \(id)")
  }

  private func isOver(_ status: Funding.Status) -> CommandError {
    CommandError(.failure, "claim \(id) was \(status.rawValue) at its vault already", remedy: "See: bump show \(id)")
  }

  /// Asks the vault for the state of the money, and records it. If the vault does not answer, the store does not
  /// change.
  ///
  /// - Parameter limit: how long the vault may take.
  func refresh(within limit: Duration) async throws {
    guard let funding = try await store.funding(of: claim.claim, .outgoing), !funding.status.isFinal else { return }
    if funding.status == .asked {
      // Until its end the authorization could still be used, and this refresh must not use it.
      guard
        let request = funding.request, Self.end(ofAuthorizationIn: request)?.hasPassed(at: UnixTime.now()) == true,
        let session = try? DepositSession(again: request, of: id, terms, at: access.vault)
      else { return }
      switch try await access.client.run(session, within: limit) {
      case .locked(let transaction, _): _ = try await note(.pending, transaction: transaction)
      case .notLocked: _ = try await note(.refused, request: request)
      case .refused, .perhapsLocked: break
      }
    }
    guard
      case .success(let answer) = try await access.client.run(
        StatusSession(terms, at: access.vault), within: limit)
    else { return }
    _ = try await record(answer.status, within: limit)
  }

  /// Returns until when a recorded deposit could be carried out; `nil` if the request is damaged.
  private static func end(ofAuthorizationIn request: String) -> Expiry? {
    try? DepositRequest(Array(request.utf8)).validBefore
  }

  /// Records how the claim ended, if the vault says that it has and shows the receipt. The word alone is not recorded:
  /// nobody has signed it, and a claim that counts as final is asked about no more, nor is its refund advised.
  ///
  /// - Returns: the receipt; `nil` if there is none.
  private func record(_ status: ClaimStatus, within limit: Duration) async throws -> SignedReceipt? {
    guard status == .claimed || status == .refunded else { return nil }
    guard let receipt = try await access.receipt(of: terms, within: limit) else { return nil }
    try await keep(receipt)
    return receipt
  }

  /// Records a receipt. Says so if it contradicts what is recorded.
  private func keep(_ receipt: SignedReceipt) async throws {
    let said = receipt.receipt
    let kept = try await note(
      said.outcome == .claimed ? .claimed : .refunded, transaction: said.transaction,
      receiver: said.outcome == .claimed ? said.receiver : nil, receipt: receipt)
    try kept.check(receipt, of: id, by: access.url)
  }

  /// Requests a refund.
  ///
  /// - Throws: `CommandError` if the money is not refunded, or not known to be.
  func refund() async throws -> SignedReceipt {
    if let funding = try await store.funding(of: claim.claim, .outgoing), funding.status == .asked {
      let request = funding.request ?? ""
      // Until its end the authorization can still be used, and a refund must not use it.
      if let end = Self.end(ofAuthorizationIn: request), !end.hasPassed(at: UnixTime.now()) {
        throw CommandError(
          .unknown, "it is not known whether anything is locked for claim \(id)",
          remedy: "The vault may lock it until \(UTCTime.text(end.unixSeconds)). Then: bump refund \(id)")
      }
      switch try await again(request) {
      case .locked(let transaction, _): _ = try await note(.pending, transaction: transaction)
      case .notLocked:
        _ = try await note(.refused, request: request)
        throw CommandError(.failure, "nothing is locked for claim \(id), so there is nothing to refund")
      case .refused(_, let failure), .perhapsLocked(_, let failure):
        throw CommandError(
          .unknown, "it is not known whether anything is locked for claim \(id): \(failure.reason)",
          remedy: "Try again later")
      }
    }
    switch try await access.client.run(RefundSession(terms, at: access.vault)) {
    case .refunded(let receipt):
      try await keep(receipt)
      return receipt
    case .claimed(let receipt):
      try await keep(receipt)
      throw CommandError(
        .failure, "claim \(id) was claimed to \(receipt.receipt.receiver) at \(UTCTime.text(receipt.receipt.time))")
    case .tooEarly(_, let notBefore):
      throw CommandError(
        .failure, "claim \(id) has not expired by the vault's clock",
        remedy: "Try again at \(UTCTime.text(notBefore ?? claim.expiry.unixSeconds))")
    case .notLocked: throw CommandError(.failure, "the vault says that nothing is locked for claim \(id)")
    case .failed(let failure): throw CommandError(failure, at: access.url)
    case .perhapsRefunded(let failure):
      throw CommandError(
        .unknown, "claim \(id) is perhaps refunded: \(failure.reason)",
        remedy: "Nothing is refunded twice. Try again with: bump refund \(id)")
    }
  }

  /// The end of a wait for a claim.
  enum Waited {
    /// The claim was claimed or refunded, by the vault's receipt.
    case settled(Receipt)
    /// The claim has expired, and the vault says that nobody has claimed it.
    case unclaimed
    /// The claim has expired, and the vault does not say what became of it, or says it without a receipt.
    case notKnown
    /// The wait was cancelled.
    case cancelled
  }

  /// Waits, with a countdown, until the claim is claimed, refunded or expired.
  func wait(_ console: Console) async -> Waited {
    let status = WaitingStatus(until: claim.expiry.unixSeconds, console)
    defer { status.stop() }
    let left = max(0, claim.expiry.unixSeconds - UnixTime.now())
    let receipt = await withTaskGroup(of: SignedReceipt?.self) { group in
      group.addTask { await settled(console) }
      group.addTask {
        try? await Task.sleep(for: .seconds(left))
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    if let receipt { return .settled(receipt.receipt) }
    if Task.isCancelled { return .cancelled }
    // Its stream may have been interrupted, or the claim have been claimed at the last moment.
    let last = try? await access.client.run(StatusSession(terms, at: access.vault))
    guard case .success(let answer)? = last else { return .notKnown }
    guard answer.status == .claimed || answer.status == .refunded else { return .unclaimed }
    let found = await recorded(answer.status, console)
    return found.map { .settled($0.receipt) } ?? .notKnown
  }

  /// Watches the claim until the vault shows its receipt. Events are not signed: one that says that the claim is final is
  /// told as the vault's word, and the watch goes on.
  ///
  /// - Returns: `nil` if the task is cancelled.
  private func settled(_ console: Console) async -> SignedReceipt? {
    var pauses = 0
    while let answer = await access.client.watch(
      ClaimWatch(terms),
      tell: { step in
        if case .drop(let failure) = step { console.sayOfStrangers("bump: \(failure.reason)") }
      })
    {
      if let receipt = await recorded(answer.status, console) { return receipt }
      try? await Task.sleep(for: .seconds(min(60, 1 << min(pauses, 6))))
      pauses += 1
    }
    return nil
  }

  /// Records how the claim ended, or says why that is not known.
  private func recorded(_ status: ClaimStatus, _ console: Console) async -> SignedReceipt? {
    do {
      if let receipt = try await record(status, within: VaultClient.limit) { return receipt }
      console.sayOfStrangers(
        "bump: \(access.url) says that claim \(id) was \(status.rawValue), and shows no receipt")
    } catch {
      console.sayOfStrangers("bump: \(CommandError(error).message)")
    }
    return nil
  }
}

/// The status line of the wait for a claim's receiver: `Waiting until it is claimed, 23:59:58 left`.
private final class WaitingStatus: Sendable {
  private let console: Console
  private let task: Task<Void, Never>

  init(until end: Int64, _ console: Console) {
    self.console = console
    let isRewritten = console.rewritesStatus
    task = Task {
      var isFirst = true
      while true {
        let left = max(0, end - UnixTime.now())
        let parts = [left / 3600, left / 60 % 60, left % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
        console.setStatus(
          "Waiting until it is claimed, \(parts.joined(separator: ":")) left. Ctrl-C ends the waiting.", first: isFirst)
        isFirst = false
        guard isRewritten, (try? await Task.sleep(for: .seconds(1))) != nil else { return }
      }
    }
  }

  func stop() {
    task.cancel()
    console.clearStatus()
  }
}
