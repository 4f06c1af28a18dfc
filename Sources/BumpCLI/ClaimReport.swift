import BumpKit
import BumpWire

/// One claim of the store, in words and as JSON. Without its secret, unless that is asked for.
struct ClaimReport {
  private let entry: HistoryEntry
  /// Seconds since 1970.
  private let now: Int64

  init(_ entry: HistoryEntry, at now: Int64 = UnixTime.now()) {
    (self.entry, self.now) = (entry, now)
  }

  private var claim: Claim {
    switch entry {
    case .sent(let outgoing): outgoing.claim
    case .received(let incoming): incoming.claim
    }
  }

  private var direction: String { if case .sent = entry { "sent" } else { "received" } }

  /// As programs read it.
  private var state: String {
    switch entry {
    case .sent(let outgoing): outgoing.state.rawValue
    case .received: "received"
    }
  }

  /// As people do.
  private var words: String {
    if case .sent(let outgoing) = entry { outgoing.state.words } else { state }
  }

  private var expiry: Expiry {
    switch entry {
    case .sent(let outgoing): outgoing.expiry
    case .received(let incoming): incoming.expiry
    }
  }

  private var isExpired: Bool { expiry.hasPassed(at: now) }

  private var deadline: Int64? { if case .sent(let outgoing) = entry { outgoing.deadline } else { nil } }

  private var peer: DisplayName? {
    switch entry {
    case .sent(let outgoing): outgoing.peer
    case .received(let incoming): incoming.from
    }
  }

  /// `2026-11-20 18:04:11Z  sent      delivered   1.00 USDC  to bob  (id)`, and whether its time was up before it came there.
  var line: String {
    let preposition = direction == "sent" ? "to" : "from"
    let other = peer.map { "  \(preposition) \($0.quoted)" } ?? ""
    let end = isExpired && state != ClaimState.delivered.rawValue ? "  expired" : ""
    return
      "\(Moments.text(entry.time))  \(direction.padded(to: 8))  \(words.padded(to: 10))  \(claim.amount) \(claim.token)\(other)  (\(claim.id))\(end)"
  }

  /// Everything, a line each.
  func lines(showSecret: Bool) -> [String] {
    var lines = [
      "claim    \(claim.id)", "amount   \(claim.amount) \(claim.token)", "state    \(words)",
      "\(direction.padded(to: 8)) \(Moments.text(entry.time))",
      "\(isExpired ? "expired" : "expires")  \(Moments.text(expiry.unixSeconds))",
    ]
    if let peer { lines.append("\(direction == "sent" ? "to  " : "from")     \(peer.quoted)") }
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
        "deadline": deadline.map { .integer($0) },
        "secret": showSecret ? .string(Base64.encoded(claim.secret.exposed)) : nil,
      ])
  }
}

extension ClaimState {
  /// The state as people read it.
  var words: String { self == .linkShown ? "link shown" : rawValue }
}
