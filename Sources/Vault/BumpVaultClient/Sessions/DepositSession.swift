public import BumpClaims
public import BumpVaultAPI
public import BumpWallet

/// How a deposit ended.
public enum DepositOutcome: Hashable, Sendable {
  /// The vault accepted this sender's own deposit. `status` is the claim's present status.
  case locked(transaction: Bytes32, status: ClaimStatus)
  /// Nothing is locked, and nothing will be: no authorization was sent, or the vault refused the deposit after its
  /// time.
  case notLocked(VaultFailure)
  /// The vault itself refused this deposit, and says that nothing is locked. Until that time its refusal is its word
  /// alone. After that time, send the same request again.
  case refused(until: Expiry, VaultFailure)
  /// The answer was lost, or is not certainly the vault's own. Until that time the vault may still take the amount. After
  /// it, send the same request again.
  case perhapsLocked(until: Expiry, VaultFailure)
}

/// Locks a claim's amount: draft, challenge if the vault asks for one, authorization, deposit.
///
/// The authorization is recorded before it is sent. Only the vault's answer to this very authorization counts: that a
/// claim is pending may be the effect of somebody else's deposit.
public struct DepositSession: VaultSession, ConversingSession {
  /// How long an embedded vault may use the authorization, in seconds. A vault on a chain says how long it needs.
  public static let validity: Int64 = 120
  /// For how long after the authorization's end a block of the chain may still turn up that took the amount before it, in
  /// seconds.
  static let chainDelay: Int64 = 600

  private enum Phase: Hashable { case vault, challenge, draft, recording, deposit }

  var conversation: Conversation
  private let claimID: ClaimID
  private let terms: ClaimTerms
  private let wallet: PrivateKey?
  private var phase = Phase.vault
  private var deposit: DepositRequest?
  private var validity = Self.validity
  /// The most challenges to solve for one draft.
  private static let maximumChallenges = 3
  /// How many challenges were asked for.
  private var challenges = 0
  /// Whether an earlier process may have sent the deposit.
  private let wasAsked: Bool

  /// Makes a session for a new deposit.
  public init(_ claimID: ClaimID, _ terms: ClaimTerms, from wallet: PrivateKey, at vault: TrustedVault) {
    conversation = Conversation(with: vault)
    (self.claimID, self.terms, self.wallet, wasAsked) = (claimID, terms, wallet, false)
  }

  /// Sends a recorded deposit again, whose answer is not known. It drafts the claim again before that: the vault may
  /// have removed the draft, and would then say that it does not know the claim, although it has the deposit. Somebody
  /// else may have carried it there under another id.
  ///
  /// - Parameter request: the recorded request.
  /// - Throws: `RequestError` if it is not a deposit.
  public init(
    again request: String, of claimID: ClaimID, _ terms: ClaimTerms, at vault: TrustedVault
  ) throws(RequestError) {
    conversation = Conversation(with: vault)
    (self.claimID, self.terms, wallet, wasAsked) = (claimID, terms, nil, true)
    deposit = try DepositRequest(Array(request.utf8))
  }

  public mutating func handle(_ input: VaultInput, at now: Int64) -> VaultStep<DepositOutcome> {
    converse(input, at: now)
  }

  mutating func succeeded(_ body: [UInt8], at now: Int64) throws(VaultFailure) -> VaultStep<DepositOutcome> {
    switch phase {
    case .vault:
      let statement = try conversation.checked(body)
      if statement.vault.isContract { validity = statement.authorizationSeconds }
      if deposit != nil { return draft(nil) }
      guard terms.amount <= statement.cap else {
        throw VaultFailure(
          .refused, "the vault takes at most \(statement.cap) in one claim", remedy: "Send less", problem: .overCap)
      }
      return statement.asksForChallenge ? askForChallenge() : draft(nil)
    case .challenge:
      guard let challenge = try? Challenge(body) else { throw .untrusted("its challenge is not valid") }
      return .solve(challenge)
    case .draft:
      guard let answer = try? DraftResponse(body), answer.claimID == claimID, answer.ledgerID == terms.ledgerID else {
        throw .untrusted("it has drafted another claim")
      }
      if let deposit { return ask(deposit) }
      return try authorize(at: now)
    case .deposit:
      guard let answer = try? DepositResponse(body), answer.status != .none else {
        throw .untrusted("it does not say that the amount is locked")
      }
      return .finish(.locked(transaction: answer.transaction, status: answer.status))
    case .recording: preconditionFailure("nothing was asked for")
    }
  }

  mutating func refused(_ problem: ProblemResponse, at now: Int64) throws(VaultFailure) -> VaultStep<DepositOutcome> {
    let wantsChallenge = problem.kind == .challengeRequired || problem.kind == .badChallenge
    // The vault may have begun to ask for challenges after it described itself. A challenge works once, so an attempt
    // whose answer was lost may have used it up.
    if phase == .draft, wantsChallenge, challenges < Self.maximumChallenges { return askForChallenge() }
    let failure = wantsChallenge ? Self.noDraft(problem) : VaultFailure(problem)
    // The answer to the deposit counts, whatever the vault says of the draft.
    if let deposit, phase == .draft || phase == .challenge { return ask(deposit) }
    guard phase == .deposit, let deposit else { throw failure }
    // Somebody on the way may have passed the deposit on.
    guard conversation.isAuthentic else { throw .unauthentic(problem) }
    // A vault that did not look at the claim has not said that nothing is locked for it.
    let isRefusal = problem.kind?.isRefusal == true
    if end(of: deposit).hasPassed(at: now), isRefusal || !mayBeSent { return .finish(.notLocked(failure)) }
    // An attempt whose answer was lost may still be on its way, and may succeed once its obstacle is gone. It cannot
    // succeed if the authorization has ended by the vault's clock, or if another deposit has the ledger id.
    let isFinal =
      !conversation.vault.vault.isContract && (problem.kind == .authorizationExpired || problem.kind == .idTaken)
    return .finish(
      mayBeSent && !isFinal
        ? .perhapsLocked(until: end(of: deposit), failure) : .refused(until: end(of: deposit), failure))
  }

  mutating func went(on input: VaultInput, at now: Int64) throws(VaultFailure) -> VaultStep<DepositOutcome> {
    switch (input, phase) {
    case (.solved(let solution?), .challenge): return draft(solution)
    case (.recorded, .recording):
      guard let deposit else { preconditionFailure("a deposit was recorded") }
      return ask(deposit)
    default: throw .untrusted("its challenge has no answer")
    }
  }

  func failed(_ failure: VaultFailure, at now: Int64) -> DepositOutcome {
    guard let deposit, wasAsked || phase == .deposit else { return .notLocked(failure) }
    if mayBeSent || [.untrusted, .overdue].contains(failure.code) {
      return .perhapsLocked(until: end(of: deposit), failure)
    }
    // That the vault did not read the deposit is not signed either.
    return failure.code == .refused ? .refused(until: end(of: deposit), failure) : .notLocked(failure)
  }

  /// The time from which a refusal of the deposit is certain.
  private func end(of deposit: DepositRequest) -> Expiry {
    guard conversation.vault.vault.isContract else { return deposit.validBefore }
    return Expiry(clamping: deposit.validBefore.unixSeconds + Self.chainDelay)
  }

  private var mayBeSent: Bool { wasAsked || conversation.mayBeDone }

  /// Returns the failure if the vault takes no solved challenge. Its own words are for programs.
  private static func noDraft(_ problem: ProblemResponse) -> VaultFailure {
    VaultFailure(
      .refused, "the vault asks for a proof of work, and accepted none", remedy: "Try again later",
      problem: problem.kind)
  }

  private mutating func askForChallenge() -> VaultStep<DepositOutcome> {
    phase = .challenge
    challenges += 1
    return conversation.ask(.challenge)
  }

  private mutating func draft(_ solution: SolvedChallenge?) -> VaultStep<DepositOutcome> {
    phase = .draft
    return conversation.ask(
      .draft(
        DraftRequest(
          DraftRequest.Identity(claimID: claimID, secretHash: terms.secretHash), token: terms.token,
          amount: terms.amount, expiry: terms.expiry, solution: solution)))
  }

  private mutating func authorize(at now: Int64) throws(VaultFailure) -> VaultStep<DepositOutcome> {
    guard let wallet else { preconditionFailure("a recorded deposit is not authorized again") }
    let validBefore = Expiry(clamping: now + validity)
    let authorization: DepositAuthorization
    do {
      authorization = try conversation.vault.deposit(of: terms, from: wallet.address, validBefore: validBefore)
    } catch {
      throw .unsupported(error)
    }
    let request = DepositRequest(
      sender: wallet.address, authorization: wallet.sign(authorization.digest).bytes, validBefore: validBefore)
    (deposit, phase) = (request, .recording)
    return .record(request.json.text)
  }

  private mutating func ask(_ deposit: DepositRequest) -> VaultStep<DepositOutcome> {
    phase = .deposit
    return conversation.ask(.deposit(claimID, deposit))
  }
}
