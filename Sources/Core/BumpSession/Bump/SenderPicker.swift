import BumpWire

/// The choice of the person here among several senders, which are collected for a moment first. Pure: it returns steps,
/// which `ReceiverBump` carries out.
package struct SenderPicker: Sendable {
  /// How long senders are collected, from the first that can be connected to. A person does not notice this delay, and
  /// the senders that are already announced answer within it.
  static let gathering: Duration = .milliseconds(300)
  /// How long senders are collected if the records of all of them name a mode that will not do. Anybody can forge a
  /// record, and hide a sender in that way.
  static let doubting: Duration = .seconds(3)

  /// What becomes of several senders.
  enum Several: Sendable {
    /// Every sender is tried, without a delay.
    case tried
    /// The person here chooses one.
    case chosenFrom
    /// None is tried: nobody can be asked which one is meant.
    case refused
  }

  private enum State {
    case idle
    case gathering(until: Moment)
    case made(SenderConnector.SenderID)
    case open
  }

  /// What to do once enough senders were collected.
  enum Step {
    case ask([SenderCandidate])
    case refuse([SenderCandidate])
    case tryAnybody
  }

  private let several: Several
  private var state: State
  private var modes: [SenderConnector.SenderID: Mode] = [:]

  init(_ several: Several) {
    self.several = several
    state = several == .tried ? .open : .idle
  }

  var isMade: Bool { if case .made = state { true } else { false } }

  /// When `step` is due.
  var deadline: Moment? { if case .gathering(let until) = state { until } else { nil } }

  mutating func described(_ id: SenderConnector.SenderID, _ announcement: Announcement) {
    if several != .tried, let mode = announcement.mode { modes[id] = mode }
  }

  mutating func lost(_ id: SenderConnector.SenderID) { modes[id] = nil }

  /// Ends the choice: from now on every sender is tried.
  mutating func open() { state = .open }

  /// Starts the choice again: the chosen sender has gone.
  mutating func forget() { state = .idle }

  /// Returns the next step, given the senders that can be connected to now; `nil` to collect more.
  ///
  /// - Parameter fits: returns whether a sender in this mode would do.
  mutating func step(reachable: [SenderConnector.SenderID], fits: (Mode?) -> Bool, at now: Moment) -> Step? {
    switch state {
    case .open, .made: return nil
    case .idle, .gathering: break
    }
    guard !reachable.isEmpty else {
      state = .idle
      return nil
    }
    let fitting = reachable.filter { fits(modes[$0]) }
    let end = now + (fitting.isEmpty ? Self.doubting : Self.gathering)
    let until = min(deadline ?? end, end)
    state = .gathering(until: until)
    guard now >= until else { return nil }
    // One that fits is met at once. A list has the others too: a forged record must keep no sender out of it. Where
    // nobody can be asked, the record of a sender does not make it the one that is meant.
    return decide(fitting.count == 1 && several == .chosenFrom ? fitting : reachable)
  }

  private mutating func decide(_ ids: [SenderConnector.SenderID]) -> Step? {
    let candidates = SenderCandidate.list(of: ids, modes: modes)
    state = candidates.count == 1 ? .open : .idle
    switch candidates.count {
    case 0: return nil
    case 1: return .tryAnybody
    default: return several == .refused ? .refuse(candidates) : .ask(candidates)
    }
  }

  /// Notes the sender that the person here chose.
  mutating func make(_ id: SenderConnector.SenderID) { state = .made(id) }

  /// Whether this sender was chosen.
  func isMade(_ id: SenderConnector.SenderID) -> Bool { if case .made(id) = state { true } else { false } }
}
