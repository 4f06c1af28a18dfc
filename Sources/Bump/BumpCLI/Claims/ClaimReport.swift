import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultClient

/// Describes a claim of the store, in words and as JSON, without its secret unless asked for.
struct ClaimReport {
  let entry: HistoryEntry
  /// What is known about the claim's money; `nil` if no vault was asked.
  let funding: Funding?
  /// The current time, in Unix seconds.
  let now: Int64

  init(_ entry: HistoryEntry, _ funding: Funding? = nil, at now: Int64 = UnixTime.now()) {
    (self.entry, self.funding, self.now) = (entry, funding, now)
  }

  var claim: Claim {
    switch entry {
    case .sent(let outgoing): outgoing.claim
    case .received(let incoming): incoming.claim
    }
  }

  var direction: String { if case .sent = entry { "sent" } else { "received" } }

  /// The state for programs.
  private var state: String {
    switch entry {
    case .sent(let outgoing): outgoing.state.rawValue
    case .received: "received"
    }
  }

  /// The state for people.
  var words: String {
    if case .sent(let outgoing) = entry { outgoing.state.words } else { state }
  }

  private var expiry: Expiry {
    switch entry {
    case .sent(let outgoing): outgoing.expiry
    case .received(let incoming): incoming.expiry
    }
  }

  var isExpired: Bool { expiry.hasPassed(at: now) }

  private var deadline: Int64? { if case .sent(let outgoing) = entry { outgoing.deadline } else { nil } }

  var peer: DisplayName? {
    switch entry {
    case .sent(let outgoing): outgoing.peer
    case .received(let incoming): incoming.from
    }
  }

  /// Whether the sender has taken the money back before the claim expired.
  var isTakenBack: Bool {
    guard case .sent = entry, let funding else { return false }
    return funding.isTakenBack
  }

  /// The state of the money for programs.
  private var money: String? { isTakenBack ? "takenBack" : funding?.status.rawValue }

  /// The state of the money in words, and whether a chain may still undo it, or has.
  var moneyWords: String {
    switch funding?.level {
    case .confirmed?: "\(stateWords), not final"
    case .undone?: "\(stateWords), undone before"
    case .finalized?, nil: stateWords
    }
  }

  /// The state of the money in words: a received claim is called funded while there is time to claim it.
  private var stateWords: String {
    guard let funding else { return "" }
    guard case .received = entry else { return isTakenBack ? "taken back" : funding.words }
    switch funding.status {
    case .refused: return isExpired ? "not paid" : "not funded"
    case .pending where ExpiryMargin.standard.isLeft(before: expiry, at: now): return "funded"
    // The account here that was to be paid is another, or there is none.
    case .claimed where funding.account != funding.receiver: return "claimed by somebody else"
    default: return funding.words
    }
  }

  var isClaimable: Bool {
    guard case .received = entry, let funding else { return false }
    return funding.status == .asked || !isExpired && funding.status == .pending
  }

  var isRefundable: Bool {
    guard case .sent = entry, let funding else { return false }
    return funding.status == .takingBack || isExpired && (funding.status == .pending || funding.status == .asked)
  }

  /// Returns all details, one per line.
  func lines(showSecret: Bool) -> [String] {
    var lines = [
      "claim    \(claim.id)", "amount   \(claim.amount) \(claim.token)", "state    \(words)",
      // Whether a claim of ours was sent to anybody says its state.
      "\((direction == "sent" ? "made" : direction).padded(to: 8)) \(UTCTime.text(entry.time))",
      "\(isExpired ? "expired" : "expires")  \(UTCTime.text(expiry.unixSeconds))",
    ]
    if let peer { lines.append("\(direction == "sent" ? "to  " : "from")     \(peer.quoted)") }
    if let funding {
      lines += ["vault    \(funding.vault)", "money    \(moneyWords)"]
      if let receiver = funding.receiver { lines.append("paid to  \(receiver)") }
      if let transaction = funding.transaction { lines.append("tx       \(transaction)") }
      if isRefundable { lines.append("refund   bump refund \(claim.id)") }
      if isClaimable { lines.append("claim it bump claim \(claim.id)") }
    }
    if showSecret { lines.append("secret   \(Base64.encoded(claim.secret.exposed))") }
    return lines
  }

  func write(to json: JSONLines, showSecret: Bool = false) {
    json.write(
      "claim",
      [
        "claimId": .init(claim.id), "amount": .init(claim.amount), "token": .init(claim.token),
        "direction": .string(direction), "state": .string(state), "peer": peer.map { .string($0.text) },
        "time": .integer(entry.time), "expiry": .integer(expiry.unixSeconds), "expired": .flag(isExpired),
        "deadline": deadline.map { .integer($0) }, "vault": funding.map { .string($0.vault) },
        "money": money.map { .string($0) }, "ledgerId": funding.map { .string($0.ledgerID) },
        "receiver": funding?.receiver.map { .string($0) }, "txHash": funding?.transaction.map { .string($0) },
        "level": funding?.level.map { .string($0.rawValue) }, "receipt": funding?.receipt.map { .string($0) },
        "secret": showSecret ? .string(Base64.encoded(claim.secret.exposed)) : nil,
      ])
  }
}

extension HandoverState {
  /// The state for people, in a table.
  var words: String { self == .linkShown ? "link shown" : rawValue }

  /// Returns the state of a claim as a clause, such as `claim y1h2 is new`.
  func clause(of id: ClaimID) -> String {
    self == .linkShown ? "the link of claim \(id) was shown" : "claim \(id) is \(rawValue)"
  }
}

extension Funding {
  /// The state of the money, as the vault reported it, for people.
  var words: String {
    switch status {
    case .asked: "in doubt"
    case .refused: "not locked"
    case .pending: "locked"
    case .takingBack: "taking back"
    case .claimed: "claimed"
    case .refunded: "refunded"
    }
  }
}
