/// The senders that wait to be resolved, and their order. Pure.
///
/// An entry may be stale: `next(where:unless:)` asks its caller.
struct WaitingSenders: Sendable {
  /// A sender with its number: the greater, the later it was found.
  typealias Entry = (id: SenderSearch.SenderID, order: Int)

  /// The entries by round, and in each round by order, the newest last.
  private var rounds: [[Entry]]
  private var turns = 0

  init(rounds count: Int) {
    rounds = Array(repeating: [], count: count)
  }

  mutating func add(_ id: SenderSearch.SenderID, order: Int, round: Int) {
    let older = rounds[round].lastIndex { $0.order < order }
    rounds[round].insert((id, order), at: older.map { $0 + 1 } ?? 0)
  }

  /// Removes and returns the next sender.
  ///
  /// - Parameters:
  ///   - isWanted: returns whether an entry may be taken.
  ///   - isStale: returns whether an entry is to be dropped.
  mutating func next(where isWanted: (Entry) -> Bool, unless isStale: (Entry) -> Bool) -> SenderSearch.SenderID? {
    while let (round, index) = place(isWanted) {
      let entry = rounds[round].remove(at: index)
      guard !isStale(entry) else { continue }
      turns += 1
      return entry.id
    }
    return nil
  }

  /// Returns the place of the next entry. Entries with the fewest turns come first. Among them, the newest and the
  /// oldest alternate: a sender that has just appeared is reported last, but senders that were there before us are
  /// reported by Avahi in reverse order.
  private func place(_ isWanted: (Entry) -> Bool) -> (round: Int, index: Int)? {
    for (round, entries) in rounds.enumerated() {
      let index = turns.isMultiple(of: 2) ? entries.lastIndex(where: isWanted) : entries.firstIndex(where: isWanted)
      if let index { return (round, index) }
    }
    return nil
  }
}
