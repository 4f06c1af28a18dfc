/// The time limits for resolving a sender, in a receiver's search and in `Neighbours`. Each turn waits longer for an
/// answer than the one before, and so does the pause after it. Pure.
package enum ResolvingTurn {
  /// Returns how long a turn waits for answers. A sender nearby answers in milliseconds. One whose packets are lost
  /// gets longer turns later, up to eight times the first.
  package static func length(first: Duration, round: Int) -> Duration { first * (1 << min(round, 3)) }
}

/// The senders that pause after a turn, and when each is resolved again. Pure.
///
/// An entry may be stale: the sender's phase decides.
package struct RestingSenders<ID: Hashable & Sendable>: Sendable {
  package typealias Entry = (id: ID, until: Moment)

  /// The entries by round. All senders of one round pause equally long, so the first entry ends first.
  private var rounds: [[Entry]]

  package init(rounds count: Int) {
    rounds = Array(repeating: [], count: count)
  }

  /// When `wake` is due.
  package var deadline: Moment? { rounds.lazy.compactMap { $0.first?.until }.min() }

  /// Adds a sender that pauses: for 125 ms in round 0, and twice as long in each further round.
  ///
  /// - Returns: the end of the pause.
  package mutating func add(_ id: ID, round: Int, at now: Moment) -> Moment {
    let until = now + .milliseconds(125 << round)
    rounds[round].append((id, until))
    return until
  }

  /// Removes and returns the senders whose pause has ended.
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
