/// When senders that are announced are resolved again, in a receiver's search and in the watch of those near: each turn
/// waits longer for answers than the one before, and so does the rest after it. Pure.
package enum ResolvingTurn {
  /// How long the answers are waited for. A sender nearby answers in milliseconds; one that loses packets gets longer turns
  /// later, up to eight times the first.
  package static func length(first: Duration, round: Int) -> Duration { first * (1 << min(round, 3)) }
}

/// The senders that rest after a turn, and when each is resolved again. Pure.
///
/// An entry may be stale: the sender's phase decides.
package struct RestingSenders<ID: Hashable & Sendable>: Sendable {
  package typealias Entry = (id: ID, until: Moment)

  /// By how often they were tried. All of one round rest equally long, so the first is the first to be done.
  private var rounds: [[Entry]]

  package init(rounds count: Int) {
    rounds = Array(repeating: [], count: count)
  }

  /// When `wake` is due.
  package var deadline: Moment? { rounds.lazy.compactMap { $0.first?.until }.min() }

  /// Lets a sender rest: 125 ms in round 0, and twice as long in each further one.
  ///
  /// - Returns: until when.
  package mutating func add(_ id: ID, round: Int, at now: Moment) -> Moment {
    let until = now + .milliseconds(125 << round)
    rounds[round].append((id, until))
    return until
  }

  /// Takes those that have rested.
  package mutating func wake(at now: Moment) -> [Entry] {
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
