import BumpDiscovery
import BumpWire

/// Which of several senders to try: those near are gathered for a moment, then our person chooses, or a number does.
/// Pure: it says when; `SenderSearch` does it.
struct SenderChoice: Sendable {
  enum Rule: Hashable, Sendable {
    /// Whoever comes is tried.
    case anybody
    /// Our person chooses, where there is a choice.
    case ask
    /// The sender of this place in the list, from 1, unless there are some of this name.
    case position(Int, orName: String)
  }

  /// How long from the first sender that can be connected to. A person does not notice it, and the senders that were
  /// there before answer within it.
  static let gathering: Duration = .milliseconds(300)

  private enum Phase {
    case idle
    case gathering(until: Moment)
    /// For as many as a place in the list needs.
    case lacking
    case asking([Receiver.Candidate])
    case made(Set<SenderSearch.SenderID>, byPosition: Bool)
    case open
  }

  /// What is to be done.
  enum Step {
    /// Where another list was asked about, that is void.
    case ask([Receiver.Candidate])
    /// The list is gone: nobody is left, or one, and then anybody is tried.
    case withdraw
    case tryAnybody
    case tryOnly(Set<SenderSearch.SenderID>)
  }

  private let rule: Rule
  private var phase: Phase
  private var modes: [SenderSearch.SenderID: Mode] = [:]

  init(_ rule: Rule) {
    self.rule = rule
    phase = rule == .anybody ? .open : .idle
  }

  var isAsking: Bool { if case .asking = phase { true } else { false } }
  var isOpen: Bool { if case .open = phase { true } else { false } }
  var isMade: Bool { if case .made = phase { true } else { false } }
  var isByPosition: Bool { if case .made(_, byPosition: true) = phase { true } else { false } }

  /// When `step` is due.
  var deadline: Moment? { if case .gathering(let until) = phase { until } else { nil } }

  mutating func described(_ id: SenderSearch.SenderID, _ txt: TXTRecord) {
    if rule != .anybody, let mode = Mode(txt) { modes[id] = mode }
  }

  mutating func lost(_ id: SenderSearch.SenderID) { modes[id] = nil }

  /// Nobody chooses any more.
  mutating func open() { phase = .open }

  /// The choice has come to nothing: there will be another.
  mutating func forget() { phase = .idle }

  /// What follows from who can be connected to by now.
  ///
  /// - Parameter fits: whether a sender of a mode would do at all.
  mutating func step(
    reachable: [SenderSearch.SenderID], isNear: (SenderSearch.SenderID) -> Bool, fits: (Mode?) -> Bool, at now: Moment
  ) -> Step? {
    switch phase {
    case .open, .made: return nil
    case .idle:
      if reachable.contains(where: { fits(modes[$0]) }) { phase = .gathering(until: now + Self.gathering) }
      return nil
    case .gathering(let until):
      return now < until ? nil : decide(reachable.filter { fits(modes[$0]) })
    case .lacking:
      return decide(reachable.filter { fits(modes[$0]) })
    case .asking(let listed):
      // Only who was listed is listed again: whoever comes and goes cannot keep our person from choosing.
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
    let candidates = Receiver.Candidate.list(of: ids, modes: modes)
    switch rule {
    case .anybody:
      return nil
    case .ask where candidates.count < 2:
      phase = candidates.isEmpty ? .idle : .open
      return candidates.isEmpty ? nil : .tryAnybody
    case .ask:
      phase = .asking(candidates)
      return .ask(candidates)
    case .position(let position, let name):
      let named = candidates.filter { [$0.short, $0.distinct].contains(name) }
      guard !named.isEmpty || candidates.count >= position else {
        phase = .lacking
        return nil
      }
      let chosen = Set((named.isEmpty ? [candidates[position - 1]] : named).map(\.id))
      phase = .made(chosen, byPosition: named.isEmpty)
      return .tryOnly(chosen)
    }
  }

  /// Our person's choice; false where it was none of those asked about.
  mutating func chose(_ id: SenderSearch.SenderID) -> Bool {
    guard case .asking(let listed) = phase, listed.contains(where: { $0.id == id }) else { return false }
    phase = .made([id], byPosition: false)
    return true
  }

  /// Whether this one was chosen.
  func isMade(_ id: SenderSearch.SenderID) -> Bool {
    if case .made(let ids, _) = phase { ids.contains(id) } else { false }
  }
}
