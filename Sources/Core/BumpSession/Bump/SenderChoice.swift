import BumpWire

/// The choice of the person here among several senders, which are collected for a moment first. Pure: it returns steps,
/// and `SenderSearch` carries them out.
package struct SenderChoice: Sendable {
  /// How long senders are collected, from the first that can be connected to. A person does not notice this delay, and
  /// the senders that are already announced answer within it.
  static let gathering: Duration = .milliseconds(300)
  /// How long senders are collected if the records of all of them name a mode that will not do. Anybody can forge a
  /// record, and hide a sender in that way.
  static let doubting: Duration = .seconds(3)

  private enum Phase {
    case idle
    case gathering(until: Moment)
    case asking([SenderCandidate])
    case made(SenderSearch.SenderID)
    case open
  }

  /// What to do next.
  enum Step {
    /// Ask about this list, in place of one asked about before.
    case ask([SenderCandidate])
    /// Cancel the question: no listed sender is left, or only one, and then every sender is tried.
    case withdraw
    case tryAnybody
  }

  private let asks: Bool
  private var phase: Phase
  private var modes: [SenderSearch.SenderID: Mode] = [:]

  /// - Parameter asks: whether the person here chooses, if there are several senders. Otherwise every sender is tried.
  init(asks: Bool) {
    self.asks = asks
    phase = asks ? .idle : .open
  }

  var isAsking: Bool { if case .asking = phase { true } else { false } }
  var isOpen: Bool { if case .open = phase { true } else { false } }
  var isMade: Bool { if case .made = phase { true } else { false } }

  /// When `step` is due.
  var deadline: Moment? { if case .gathering(let until) = phase { until } else { nil } }

  mutating func described(_ id: SenderSearch.SenderID, _ announcement: Announcement) {
    if asks, let mode = announcement.mode { modes[id] = mode }
  }

  mutating func lost(_ id: SenderSearch.SenderID) { modes[id] = nil }

  /// Ends the choice: from now on every sender is tried.
  mutating func open() { phase = .open }

  /// Starts the choice again: the chosen sender has gone.
  mutating func forget() { phase = .idle }

  /// Returns the next step, given the senders that can be connected to now.
  ///
  /// - Parameter fits: returns whether a sender in this mode would do.
  mutating func step(
    reachable: [SenderSearch.SenderID], isNear: (SenderSearch.SenderID) -> Bool, fits: (Mode?) -> Bool, at now: Moment
  ) -> Step? {
    switch phase {
    case .open, .made: return nil
    case .idle, .gathering:
      guard !reachable.isEmpty else {
        phase = .idle
        return nil
      }
      let fitting = reachable.filter { fits(modes[$0]) }
      let end = now + (fitting.isEmpty ? Self.doubting : Self.gathering)
      let until = min(deadline ?? end, end)
      phase = .gathering(until: until)
      guard now >= until else { return nil }
      // One that fits is met at once. A list has the others too: a forged record must keep no sender out of it.
      return decide(fitting.count == 1 ? fitting : reachable)
    case .asking(let listed):
      // A sender that was not in the list is not added: otherwise senders that come and go could keep the person from
      // choosing.
      let left = listed.filter { isNear($0.id) }
      guard left.count < listed.count else { return nil }
      guard left.count > 1 else {
        phase = left.isEmpty ? .idle : .open
        return .withdraw
      }
      phase = .asking(left)
      return .ask(left)
    }
  }

  private mutating func decide(_ ids: [SenderSearch.SenderID]) -> Step? {
    let candidates = SenderCandidate.list(of: ids, modes: modes)
    guard candidates.count > 1 else {
      phase = candidates.isEmpty ? .idle : .open
      return candidates.isEmpty ? nil : .tryAnybody
    }
    phase = .asking(candidates)
    return .ask(candidates)
  }

  /// Notes the sender that the person here chose. Returns false if the person was not asked about this sender.
  mutating func chose(_ id: SenderSearch.SenderID) -> Bool {
    guard case .asking(let listed) = phase, listed.contains(where: { $0.id == id }) else { return false }
    phase = .made(id)
    return true
  }

  /// Whether this sender was chosen.
  func isMade(_ id: SenderSearch.SenderID) -> Bool { if case .made(id) = phase { true } else { false } }
}
