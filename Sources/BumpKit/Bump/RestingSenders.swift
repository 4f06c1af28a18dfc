/// The senders that rest after a try, and when each is tried again. Pure.
///
/// An entry may be stale: the sender's phase decides.
struct RestingSenders: Sendable {
  typealias Entry = (id: SenderSearch.SenderID, until: Moment)

  /// By how often they were tried. All of one round rest equally long, so the first is the first to be done.
  private var rounds: [[Entry]]

  init(rounds count: Int) {
    rounds = Array(repeating: [], count: count)
  }

  /// When `wake` is due.
  var deadline: Moment? { rounds.compactMap(\.first?.until).min() }

  /// Lets a sender rest: 125 ms after its first try, and twice as long after each further one.
  ///
  /// - Returns: until when.
  mutating func add(_ id: SenderSearch.SenderID, round: Int, at now: Moment) -> Moment {
    let until = now + .milliseconds(125 << round)
    rounds[round].append((id, until))
    return until
  }

  /// Takes those that have rested.
  mutating func wake(at now: Moment) -> [Entry] {
    rounds.indices.flatMap { round -> [Entry] in
      let rested = rounds[round].prefix { $0.until <= now }
      rounds[round].removeFirst(rested.count)
      return Array(rested)
    }
  }

  mutating func removeAll() {
    rounds = rounds.map { _ in [] }
  }
}
