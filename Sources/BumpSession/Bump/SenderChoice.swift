import BumpWire

/// The choice among several senders: senders are collected for a moment, then the person here chooses, or a position
/// does. Pure: it returns steps, and `SenderSearch` carries them out.
package struct SenderChoice: Sendable {
  package enum Rule: Hashable, Sendable {
    /// Every sender is tried.
    case anybody
    /// The person here chooses, if there are several senders.
    case ask
    /// The sender at this position in the list, counted from 1.
    case position(Int)
    /// The only sender whose name begins with this truncated name. If there are several, none is tried.
    case only(WantedName)
  }

  /// How long senders are collected, from the first that can be connected to. A person does not notice this delay, and
  /// the senders that are already announced answer within it.
  static let gathering: Duration = .milliseconds(300)
  /// How long senders are collected if the records of all of them name a mode that will not do. Anybody can forge a
  /// record, and hide a sender in that way.
  static let doubting: Duration = .seconds(3)

  private enum Phase {
    case idle
    case gathering(until: Moment)
    /// There are fewer senders than the position needs.
    case lacking
    case asking([SenderCandidate])
    case made(Set<SenderSearch.SenderID>)
    case open
  }

  /// What to do next.
  enum Step {
    /// Ask about this list, in place of one asked about before.
    case ask([SenderCandidate])
    /// Cancel the question: no listed sender is left, or only one, and then every sender is tried.
    case withdraw
    case tryAnybody
    case tryOnly(Set<SenderSearch.SenderID>)
    /// Several senders match the truncated name: these, by their position in the list.
    case refuse([Int: SenderCandidate])
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

  /// When `step` is due.
  var deadline: Moment? { if case .gathering(let until) = phase { until } else { nil } }

  mutating func described(_ id: SenderSearch.SenderID, _ announcement: Announcement) {
    if rule != .anybody, let mode = announcement.mode { modes[id] = mode }
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
    let fitting = reachable.filter { fits(modes[$0]) }
    switch phase {
    case .open, .made: return nil
    case .idle, .gathering:
      let meant = reachable.filter(isMeant)
      guard !meant.isEmpty else {
        phase = .idle
        return nil
      }
      let end = now + (meant.contains(where: fitting.contains) ? Self.gathering : Self.doubting)
      let until = min(deadline ?? end, end)
      phase = .gathering(until: until)
      return now < until ? nil : decide(fitting.isEmpty ? reachable : fitting)
    case .lacking:
      return decide(fitting.isEmpty ? reachable : fitting)
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
    switch rule {
    case .anybody:
      return nil
    case .ask where candidates.count < 2:
      phase = candidates.isEmpty ? .idle : .open
      return candidates.isEmpty ? nil : .tryAnybody
    case .ask:
      phase = .asking(candidates)
      return .ask(candidates)
    case .position(let position):
      guard candidates.count >= position else {
        phase = .lacking
        return nil
      }
      let chosen: Set = [candidates[position - 1].id]
      phase = .made(chosen)
      return .tryOnly(chosen)
    case .only(let name):
      return decide(candidates, name)
    }
  }

  private mutating func decide(_ candidates: [SenderCandidate], _ name: WantedName) -> Step? {
    let numbered = Dictionary(uniqueKeysWithValues: zip(1..., candidates))
    // An instance's name may be truncated itself. Such a name counts only if no other matches. A sender whose own name
    // ends like a truncated one is among the candidates too.
    let cut = [name.matches, name.mayBegin].lazy.map { test in numbered.filter { test($0.value.short) } }
    let meant = cut.first { !$0.isEmpty } ?? [:]
    guard meant.count == 1 else {
      phase = .idle
      return meant.isEmpty ? nil : .refuse(meant)
    }
    let chosen = Set(meant.values.map(\.id))
    phase = .made(chosen)
    return .tryOnly(chosen)
  }

  /// Whether a sender matches the truncated name, if one was given.
  private func isMeant(_ id: SenderSearch.SenderID) -> Bool {
    guard case .only(let wanted) = rule, case .instance(let name) = id else { return true }
    return wanted.mayBegin(with: InstanceName.shown(name).short)
  }

  /// Notes the sender that the person here chose. Returns false if the person was not asked about this sender.
  mutating func chose(_ id: SenderSearch.SenderID) -> Bool {
    guard case .asking(let listed) = phase, listed.contains(where: { $0.id == id }) else { return false }
    phase = .made([id])
    return true
  }

  /// Whether this sender was chosen.
  func isMade(_ id: SenderSearch.SenderID) -> Bool {
    if case .made(let ids) = phase { ids.contains(id) } else { false }
  }
}
