import BumpDiscovery

/// When senders are resolved, in a receiver's search and in `Neighbours`: the order of those that wait for a turn, the
/// length of a turn, and the pause after it. Pure.
///
/// Each turn of a sender waits longer for an answer than the one before, and so does the pause after it. An entry may be
/// stale: the sender's own state decides.
package struct ResolvingSchedule<ID: Hashable & Sendable>: Sendable {
  /// A sender that waits, with its number: the greater, the later it was found.
  package typealias Waiting = (id: ID, order: Int)
  /// A sender that pauses.
  package typealias Resting = (id: ID, until: Moment)

  /// The last round: later turns are as those of this round.
  private let lastRound: Int
  /// The entries by round, and in each round by order, the newest last.
  private var waiting: [[Waiting]]
  /// The entries by round. All senders of one round pause equally long, so the first entry ends first.
  private var resting: [[Resting]]
  private var turns = 0

  /// - Parameter isLong: whether turns may go on for hours. Then a sender that does not resolve has one a minute in the
  ///   end.
  package init(isLong: Bool) {
    lastRound = isLong ? 9 : 3
    waiting = Array(repeating: [], count: lastRound + 1)
    resting = Array(repeating: [], count: lastRound + 1)
  }

  /// Returns how long a turn waits for answers. A sender nearby answers in milliseconds. One whose packets are lost
  /// gets longer turns later, up to eight times the first.
  package static func turn(first: Duration, round: Int) -> Duration { first * (1 << min(round, 3)) }

  // MARK: Waiting

  /// The number of senders that wait, with the stale entries.
  package var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

  /// Adds a sender that waits for a turn.
  ///
  /// - Parameters:
  ///   - count: how many senders there are. A round with more than twice as many entries, and some to spare, drops its
  ///     stale ones: somebody may announce and withdraw names for hours.
  ///   - isStale: returns whether an entry is to be dropped.
  package mutating func wait(_ id: ID, order: Int, round: Int, among count: Int, unless isStale: (Waiting) -> Bool) {
    let round = min(round, lastRound)
    let older = waiting[round].lastIndex { $0.order < order }
    waiting[round].insert((id, order), at: older.map { $0 + 1 } ?? 0)
    if waiting[round].count > 2 * count + 32 { waiting[round].removeAll(where: isStale) }
  }

  /// Removes and returns the sender that has the next turn.
  ///
  /// - Parameters:
  ///   - isWanted: returns whether an entry may be taken.
  ///   - isStale: returns whether an entry is to be dropped.
  package mutating func next(where isWanted: (Waiting) -> Bool = { _ in true }, unless isStale: (Waiting) -> Bool)
    -> ID?
  {
    while let (round, index) = place(isWanted) {
      let entry = waiting[round].remove(at: index)
      guard !isStale(entry) else { continue }
      turns += 1
      return entry.id
    }
    return nil
  }

  /// Returns the place of the next entry. Entries with the fewest turns come first. Among them, the newest and the
  /// oldest alternate: a sender that has just appeared is reported last, but senders that were there before us are
  /// reported by Avahi in reverse order.
  private func place(_ isWanted: (Waiting) -> Bool) -> (round: Int, index: Int)? {
    for (round, entries) in waiting.enumerated() {
      let index = turns.isMultiple(of: 2) ? entries.lastIndex(where: isWanted) : entries.firstIndex(where: isWanted)
      if let index { return (round, index) }
    }
    return nil
  }

  // MARK: Resting

  /// When `wake` is due.
  package var deadline: Moment? { resting.lazy.compactMap { $0.first?.until }.min() }

  /// Adds a sender that pauses: for 125 ms in round 0, and twice as long in each further round.
  ///
  /// - Returns: the end of the pause.
  package mutating func rest(_ id: ID, round: Int, at now: Moment) -> Moment {
    let round = min(round, lastRound)
    let until = now + .milliseconds(125 << round)
    resting[round].append((id, until))
    return until
  }

  /// Removes and returns the senders whose pause has ended.
  package mutating func wake(at now: Moment) -> [Resting] {
    resting.indices.flatMap { round -> [Resting] in
      let rested = resting[round].prefix { $0.until <= now }
      resting[round].removeFirst(rested.count)
      return Array(rested)
    }
  }

  /// Removes the senders that pause.
  mutating func wakeNobody() {
    resting = resting.map { _ in [] }
  }
}
