import BumpWire

/// Which of several senders to try: those near are gathered for a moment, then our person chooses, or a number does.
/// Pure: it says when; `SenderSearch` does it.
package struct SenderChoice: Sendable {
  package enum Rule: Hashable, Sendable {
    /// Whoever comes is tried.
    case anybody
    /// Our person chooses, where there is a choice.
    case ask
    /// The sender of this place in the list, from 1.
    case position(Int)
    /// The only sender whose name begins as this one, which was cut. Where there are several, nobody chooses.
    case only(WantedName)
  }

  /// How long from the first sender that can be connected to. A person does not notice it, and the senders that were
  /// there before answer within it.
  static let gathering: Duration = .milliseconds(300)
  /// How long from the first one whose record says that it would not do, where nobody else comes: anybody can forge a
  /// record, and hide a sender by it.
  static let doubting: Duration = .seconds(3)

  private enum Phase {
    case idle
    case gathering(until: Moment)
    /// For as many as a place in the list needs.
    case lacking
    case asking([SenderCandidate])
    case made(Set<SenderSearch.SenderID>)
    case open
  }

  /// What is to be done.
  enum Step {
    /// It takes the place of a list that was asked about before.
    case ask([SenderCandidate])
    /// The list is gone: nobody is left, or one, and then anybody is tried.
    case withdraw
    case tryAnybody
    case tryOnly(Set<SenderSearch.SenderID>)
    /// Several are meant, by their number in the list.
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

  /// Nobody chooses any more.
  mutating func open() { phase = .open }

  /// The sender that was chosen is gone: there will be another choice.
  mutating func forget() { phase = .idle }

  /// What follows from who can be connected to by now.
  ///
  /// - Parameter fits: whether a sender of a mode would do at all.
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
    // An instance's name may have been cut itself: only where no other is meant. A stranger who ends his name as a cut
    // one ends is one of those who may be meant.
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

  /// Whether a sender may be the one whose name was given, where one was cut.
  private func isMeant(_ id: SenderSearch.SenderID) -> Bool {
    guard case .only(let wanted) = rule, case .instance(let name) = id else { return true }
    return wanted.mayBegin(with: InstanceName.shown(name).short)
  }

  /// Our person's choice; false where it was none of those asked about.
  mutating func chose(_ id: SenderSearch.SenderID) -> Bool {
    guard case .asking(let listed) = phase, listed.contains(where: { $0.id == id }) else { return false }
    phase = .made([id])
    return true
  }

  /// Whether this one was chosen.
  func isMade(_ id: SenderSearch.SenderID) -> Bool {
    if case .made(let ids) = phase { ids.contains(id) } else { false }
  }
}
