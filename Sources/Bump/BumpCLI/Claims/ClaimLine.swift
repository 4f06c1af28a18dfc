import BumpClaims
import BumpKit
import BumpTerminal
import BumpText

/// A claim of the history in one line.
extension ClaimReport {
  /// The columns of a terminal that a line fits, if the amount is not very long.
  private static let columns = 80
  /// The columns in front of the state, where that is short enough.
  private static let stateColumn = 53
  /// The columns in front of the state in a row of its own: those of the time.
  private static let indentation = 18
  /// The fewest columns for a name, with its quotes.
  private static let leastName = 8

  /// The claim in one line: `2026-11-20 18:04  1.00 USDC to "bob"  delivered  nK2jqA1b`. Where something is in doubt or
  /// to be done, the next command is in place of the id: `unknown: bump settle nK2jqA1b`. The time is local.
  var line: String { line(in: nil) }

  /// Returns the line for a terminal of so many columns. If it does not fit, its end has a row of its own.
  func line(in columns: Int?) -> String {
    let (start, end) = parts
    let column = min(Self.stateColumn, max(0, Self.columns - TextWidth.columns(of: end)))
    let line = start.padded(to: column) + end
    guard let columns, TextWidth.columns(of: line) > columns else { return line }
    return start + "\n" + String(repeating: " ", count: Self.indentation) + end
  }

  /// What stands in front of the state, and the rest.
  private var parts: (start: String, end: String) {
    let time = LocalTime.text(entry.time)
    let peer = isOpen ? nil : self.peer
    let way = peer == nil ? isSent ? "made here" : "received" : isSent ? "to" : "from"
    let money = "\(claim.amount) \(claim.token) \(way)"
    let end = (doubt.map { "\($0.words): bump \($0.command) " } ?? "\(standing)  ") + claim.id.beginning
    let used = TextWidth.columns(of: "\(time)  \(money)   ")
    let room = min(Self.columns - TextWidth.columns(of: end), Self.stateColumn) - used
    let name = peer.map { " " + QuotedName.of($0.text, columns: max(Self.leastName, room) - 2) } ?? ""
    return ("\(time)  \(money)\(name)  ", end)
  }

  private var isSent: Bool { if case .sent = entry { true } else { false } }

  /// Whether the claim is anybody's who has its link. A receiver that it was sent to before does not have it.
  private var isOpen: Bool { if case .sent(let claim) = entry { claim.state == .linkShown } else { false } }

  /// The state of the claim and of its money in a word or two, where nothing is in doubt.
  private var standing: String {
    guard case .sent = entry else { return funding != nil ? moneyWords : isExpired ? "expired" : "received" }
    let isOver = isExpired && !isDelivered ? ", expired" : ""
    guard let funding else { return words + isOver }
    return funding.status.isSettled ? moneyWords : "\(words), \(moneyWords)\(isOver)"
  }

  private var isDelivered: Bool { if case .sent(let claim) = entry { claim.state == .delivered } else { false } }

  /// What is in doubt or to be done, and the command for it between `bump` and the id; `nil` for nothing.
  private var doubt: (words: String, command: String)? {
    if isRefundable { return (moneyWords, "refund") }
    if isClaimable { return (moneyWords, "claim") }
    guard case .sent(let claim) = entry, !isExpired, !isTakenBack else { return nil }
    if claim.state == .unknown, !claim.isInFlight {
      return (funding?.status.isSettled == true ? moneyWords : words, "settle")
    }
    if funding == nil, [.new, .linkShown, .lost].contains(claim.state) { return (words, "send --again") }
    return funding?.status == .asked && claim.state.isOfferable ? (moneyWords, "send --again") : nil
  }
}

extension ClaimID {
  /// The beginning of the id, unique among billions, which commands take for the whole.
  var beginning: String { String(description.prefix(8)) }
}
