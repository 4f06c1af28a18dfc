import BumpVaultAPI
import BumpWallet

/// The common part of sessions. It first has the vault prove that it is the one that was confirmed, and it sends a request
/// again if its answer was lost.
struct Conversation: Hashable, Sendable {
  private let trusted: TrustedVault
  private(set) var request: VaultRequest
  private var nonce: Bytes32
  private var retries = Retries()
  /// Whether this request may have reached the vault without an answer.
  private(set) var mayBeDone = false
  /// Whether the last answer is certainly the vault's own.
  private(set) var isAuthentic = false
  private var isChecked = false
  /// The transaction that carries this request, by the vault's last answer; `nil` for none.
  private(set) var submitted: Bytes32?

  var vault: PinnedVault { trusted.pinned }

  init(with vault: TrustedVault) {
    (trusted, nonce) = (vault, .word(0 as UInt64))
    request = .vault(nonce: nonce)
  }

  /// Asks the vault to describe itself, and to prove that for a nonce.
  mutating func begin<Outcome>(with nonce: Bytes32) -> VaultStep<Outcome> {
    self.nonce = nonce
    return ask(.vault(nonce: nonce))
  }

  /// Begins with a new request.
  mutating func ask<Outcome>(_ request: VaultRequest) -> VaultStep<Outcome> {
    (self.request, retries, mayBeDone, submitted) = (request, Retries(), false, nil)
    return .ask(request)
  }

  /// Sends the same request again, after a while.
  ///
  /// - Returns: `nil` if the request was sent often enough.
  mutating func askAgain<Outcome>(after seconds: Int64? = nil) -> VaultStep<Outcome>? {
    retries.next(after: seconds).map { .ask(request, after: $0) }
  }

  /// Asks for the outcome of a request that is carried, as often as the session's time allows: every two seconds, or as
  /// the vault wants.
  func askForOutcome<Outcome>(after seconds: Int64?) -> VaultStep<Outcome> {
    .ask(request, after: .seconds(min(30, max(2, seconds ?? 0))))
  }

  /// Reads the reply to the request.
  mutating func read(_ reply: VaultReply) -> Verdict {
    isAuthentic = if case .answer(_, _, let context) = reply { context.isAuthentic } else { false }
    switch reply {
    case .unsent(let reason): return .unsent(.unreachable(reason))
    case .lost(let reason):
      mayBeDone = true
      return .lost(.unreachable(reason), retryAfter: nil)
    // A vault on a chain answers 202, since the chain confirms later. The answer to the same request is then 200.
    case .answer(202, let body, let context):
      mayBeDone = true
      if vault.vault.isContract, let answer = try? SubmittedResponse(body) {
        submitted = answer.transaction
        return .submitted(answer.transaction, retryAfter: context.retryAfter)
      }
      return .lost(
        .unreachable("it has submitted the transaction, and waits for the chain"), retryAfter: context.retryAfter)
    case .answer(200..<300, let body, _): return .success(body)
    case .answer(500..., _, let context):
      mayBeDone = true
      return .lost(.unreachable("it says that it fails"), retryAfter: context.retryAfter)
    case .answer(400..<500, let body, let context):
      return read(try? ProblemResponse(body, in: vault.domain), retryAfter: context.retryAfter)
    case .answer: return .untrusted(.untrusted("it is not a vault's answer"))
    }
  }

  /// Reads a refusal.
  private mutating func read(_ problem: ProblemResponse?, retryAfter: Int64?) -> Verdict {
    guard let problem, let kind = problem.kind else {
      return .untrusted(.untrusted("it is not a vault's answer"))
    }
    guard kind == .tooManyRequests || kind == .requestTimeout else { return .problem(problem) }
    // The vault itself has not looked at either kind of request. A gateway whose time is up first says the same.
    if !isAuthentic { mayBeDone = true }
    return .lost(VaultFailure(problem), retryAfter: retryAfter ?? 1)
  }

  /// Reads the vault's description, and compares it with the confirmed vault.
  func checked(_ body: [UInt8]) throws(VaultFailure) -> VaultStatement { try trusted.check(body, nonce: nonce) }

  /// Returns whether the vault was compared before. If not, the answer is its description, and is compared now.
  mutating func hasChecked(_ body: [UInt8]) throws(VaultFailure) -> Bool {
    guard !isChecked else { return true }
    _ = try checked(body)
    isChecked = true
    return false
  }

  /// Reads a claim's state.
  func answer(_ body: [UInt8], about terms: ClaimTerms) throws(VaultFailure) -> ClaimResponse {
    guard let answer = try? ClaimResponse(body), answer.terms == terms else {
      throw .untrusted("it lacks the claim's state")
    }
    return answer
  }

  /// Reads a receipt with the outcome that was asked for.
  func receipt(
    _ body: [UInt8], of terms: ClaimTerms, for outcome: SettlementOutcome
  ) throws(VaultFailure) -> SignedReceipt {
    guard let receipt = try? SignedReceipt(body, in: vault.domain) else {
      throw .untrusted("its receipt cannot be read")
    }
    try check(receipt, of: terms, for: outcome)
    return receipt
  }

  /// Returns the receipt of an earlier payment, which the vault sends with its refusal.
  func payment(_ problem: ProblemResponse, of terms: ClaimTerms) throws(VaultFailure) -> SignedReceipt {
    guard let receipt = problem.receipt else { throw .untrusted("it shows no receipt of the payment") }
    try check(receipt, of: terms, for: .claimed)
    return receipt
  }

  /// Checks a receipt's terms, signature and outcome.
  private func check(
    _ receipt: SignedReceipt, of terms: ClaimTerms, for outcome: SettlementOutcome
  ) throws(VaultFailure) {
    let said = receipt.receipt
    guard said.ledgerID == terms.ledgerID, said.token == terms.token, said.amount == terms.amount else {
      throw .untrusted("its receipt is for another claim")
    }
    guard receipt.isSigned(by: vault.vault.receiptKey) else {
      throw .untrusted("its receipt is not signed by the vault that was confirmed")
    }
    guard (receipt.inclusion != nil) == vault.vault.isContract else {
      throw .untrusted("its receipt is of another kind of vault")
    }
    guard said.outcome == outcome else {
      throw .untrusted("its receipt is \(outcome == .claimed ? "" : "not ")for a refund")
    }
  }
}

/// A session whose requests follow one another, after the check of the vault.
protocol ConversingSession: VaultSession {
  var conversation: Conversation { get set }

  /// Takes an answer of 2xx.
  ///
  /// - Throws: `VaultFailure`, which ends the session.
  mutating func succeeded(_ body: [UInt8], at now: Int64) throws(VaultFailure) -> VaultStep<Outcome>
  /// Takes a refusal.
  mutating func refused(_ problem: ProblemResponse, at now: Int64) throws(VaultFailure) -> VaultStep<Outcome>
  /// Takes an input that is not a reply: `.solved` or `.recorded`.
  mutating func went(on input: VaultInput, at now: Int64) throws(VaultFailure) -> VaultStep<Outcome>
  /// Returns the outcome for a failure that ends the session.
  func failed(_ failure: VaultFailure, at now: Int64) -> Outcome
}

extension ConversingSession {
  mutating func converse(_ input: VaultInput, at now: Int64) -> VaultStep<Outcome> {
    do throws(VaultFailure) {
      switch input {
      case .begin(let nonce): return conversation.begin(with: nonce)
      case .timeUp:
        if let transaction = conversation.submitted { throw .submitted(transaction) }
        throw VaultFailure(.overdue, "the vault did not answer in time", remedy: "Try again later")
      case .solved, .recorded: return try went(on: input, at: now)
      case .reply(let reply):
        switch conversation.read(reply) {
        case .success(let body): return try succeeded(body, at: now)
        case .problem(let problem): return try refused(problem, at: now)
        case .lost(let failure, let seconds):
          if let again: VaultStep<Outcome> = conversation.askAgain(after: seconds) { return again }
          throw failure
        case .submitted(_, let seconds): return conversation.askForOutcome(after: seconds)
        case .unsent(let failure):
          if let again: VaultStep<Outcome> = conversation.askAgain() { return again }
          throw failure
        case .untrusted(let failure): throw failure
        }
      }
    } catch {
      return .finish(failed(error, at: now))
    }
  }

  mutating func refused(_ problem: ProblemResponse, at now: Int64) throws(VaultFailure) -> VaultStep<Outcome> {
    throw VaultFailure(problem)
  }

  /// Most sessions record nothing and solve nothing.
  mutating func went(on input: VaultInput, at now: Int64) throws(VaultFailure) -> VaultStep<Outcome> {
    preconditionFailure("\(Self.self) asked for nothing of the kind")
  }
}
