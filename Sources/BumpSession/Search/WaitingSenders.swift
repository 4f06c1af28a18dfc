/// The senders that wait to be resolved, and whose turn is next. Pure.
///
/// An entry may be stale: whoever takes it knows.
struct WaitingSenders: Sendable {
  /// The greater the order, the later it was told of.
  typealias Entry = (id: SenderSearch.SenderID, order: Int)

  /// By how often they were tried, and then by order: the newest last.
  private var rounds: [[Entry]]
  private var turns = 0

  init(rounds count: Int) {
    rounds = Array(repeating: [], count: count)
  }

  mutating func add(_ id: SenderSearch.SenderID, order: Int, round: Int) {
    let older = rounds[round].lastIndex { $0.order < order }
    rounds[round].insert((id, order), at: older.map { $0 + 1 } ?? 0)
  }

  /// Takes the next.
  ///
  /// - Parameters:
  ///   - isWanted: who may be taken at all.
  ///   - isStale: who is passed over for good.
  mutating func next(where isWanted: (Entry) -> Bool, unless isStale: (Entry) -> Bool) -> SenderSearch.SenderID? {
    while let (round, index) = place(isWanted) {
      let entry = rounds[round].remove(at: index)
      guard !isStale(entry) else { continue }
      turns += 1
      return entry.id
    }
    return nil
  }

  /// Where the next waits: among those least often tried, by turns the one that was told of last and the one that was
  /// told of first. Who has just come is told of last; but of those who were there before us Avahi tells in the reverse
  /// order.
  ///
  /// One turn of sixteen is for the newest that had a turn already: who came amid a flood and was not answered in its
  /// first turn would else wait until all the flood has had one.
  private func place(_ isWanted: (Entry) -> Bool) -> (round: Int, index: Int)? {
    if turns % 16 == 15, let newest = newestTried(isWanted) { return newest }
    for (round, entries) in rounds.enumerated() {
      let index = turns.isMultiple(of: 2) ? entries.lastIndex(where: isWanted) : entries.firstIndex(where: isWanted)
      if let index { return (round, index) }
    }
    return nil
  }

  private func newestTried(_ isWanted: (Entry) -> Bool) -> (round: Int, index: Int)? {
    let newest = rounds.indices.dropFirst().compactMap { round in
      rounds[round].lastIndex(where: isWanted).map { (round: round, index: $0) }
    }
    return newest.max { rounds[$0.round][$0.index].order < rounds[$1.round][$1.index].order }
  }
}
