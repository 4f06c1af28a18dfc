import BumpDiscovery

/// Which welcomed sender the receiver writes NOISE_1 to, one at a time, while `Draws` allows it. Pure.
struct ReceiverDraws: Sendable {
  /// A session that is as far as WELCOME.
  private struct Candidate {
    let id: ConnectionID
    let sender: SenderSearch.SenderID
    let host: RemoteHost?
  }

  private struct Draw {
    let id: ConnectionID
    let sender: SenderSearch.SenderID
    let host: RemoteHost?
    /// When its session ended.
    var end: Moment?
    /// Whether it ended so since a person declined.
    var isDeclined = false
  }

  /// Whether the search goes on for hours, and forgets a draw in the end.
  private let isLong: Bool
  /// Draws for none but senders that have had none.
  private let reserve: Int
  /// How long others may come before a sender that had a draw is given another.
  private let patience: Duration
  private var draws: [Draw] = []
  private var waiting: [Candidate] = []
  /// The session that others wait for.
  private(set) var outstanding: ConnectionID?
  /// From when on a sender that had a draw may have another.
  private var nextReuse = Moment.zero

  /// - Parameters:
  ///   - isLong: whether the search goes on for hours.
  ///   - isDirect: whether there is one sender alone, so that nothing is to be kept for another.
  ///   - asks: whether our person chooses among offers. Else the first is taken anyway, and nobody is given time to come.
  init(isLong: Bool, isDirect: Bool, asks: Bool) {
    self.isLong = isLong
    reserve = isDirect ? 0 : Draws.reserve
    patience = asks ? Draws.patience : .zero
  }

  /// Whether no draw is left, for now or for good.
  var isSpent: Bool { draws.count >= Draws.maximum }

  /// Whether another sender could have a draw now, were it welcomed.
  var isFree: Bool { outstanding == nil && !isSpent }

  /// Whether somebody waits for a draw and may have one.
  var hasWaiting: Bool { !isSpent && waiting.contains { isFresh($0.sender, $0.host) } }

  /// When a draw is forgotten, or somebody who had one may have another.
  var deadline: Moment? {
    if isSpent { return forgetting }
    guard outstanding == nil, waiting.contains(where: { mayReuse || isFresh($0.sender, $0.host) }) else { return nil }
    return nextReuse
  }

  /// When the next draw is forgotten.
  var forgetting: Moment? { isLong ? draws.compactMap(\.end).min().map { $0 + Draws.memory } : nil }

  /// Whether a sender has had no draw, by name or by address.
  func isFresh(_ sender: SenderSearch.SenderID, _ host: RemoteHost? = nil) -> Bool {
    !draws.contains { $0.sender == sender || ($0.host != nil && $0.host == host) }
  }

  /// Whether a sender may still have a draw, now or later.
  func mayDraw(_ sender: SenderSearch.SenderID, _ host: RemoteHost?) -> Bool { mayReuse || isFresh(sender, host) }

  /// When a sender that may have no draw now may have one again, in a search that goes on: as soon as enough draws are
  /// forgotten, or all of its own. `nil` while the sessions of too many are not over.
  func readmission(of sender: SenderSearch.SenderID, _ host: RemoteHost?) -> Moment? {
    guard isLong else { return nil }
    let excess = draws.count - (Draws.maximum - reserve)
    let ends = draws.compactMap(\.end).sorted()
    let enough = ends.indices.contains(excess) ? ends[excess] : nil
    let own = draws.filter { $0.sender == sender || ($0.host != nil && $0.host == host) }.map(\.end)
    let last = own.contains(nil) ? nil : own.compactMap(\.self).max()
    return [enough, last].compactMap(\.self).min().map { $0 + Draws.memory }
  }

  /// How many of the draws ended since a person declined, and how many did not.
  var results: (declined: Int, failed: Int) {
    let declined = draws.count(where: \.isDeclined)
    return (declined, draws.count - declined)
  }

  private var mayReuse: Bool { draws.count < Draws.maximum - reserve }

  /// Forgets what was long enough ago.
  mutating func prune(at now: Moment) {
    guard isLong else { return }
    draws.removeAll { draw in draw.end.map { now >= $0 + Draws.memory } ?? false }
  }

  /// A sender has said WELCOME, and waits.
  mutating func add(_ id: ConnectionID, _ sender: SenderSearch.SenderID, _ host: RemoteHost?) {
    waiting.append(Candidate(id: id, sender: sender, host: host))
  }

  /// Takes the next draw, if there is one: those that have had none first, in the order of their WELCOME.
  mutating func next(at now: Moment) -> ConnectionID? {
    guard isFree else { return nil }
    let fresh = waiting.firstIndex { isFresh($0.sender, $0.host) }
    guard let index = fresh ?? (mayReuse && now >= nextReuse ? waiting.indices.first : nil) else { return nil }
    let taken = waiting.remove(at: index)
    draws.append(Draw(id: taken.id, sender: taken.sender, host: taken.host))
    outstanding = taken.id
    return taken.id
  }

  /// Lets others go on while this session goes on too.
  mutating func giveWay(_ id: ConnectionID, at now: Moment) {
    guard outstanding == id else { return }
    outstanding = nil
    nextReuse = now + patience
  }

  /// A session is over.
  ///
  /// - Parameters:
  ///   - isGivenBack: whether a person said yes to it and the claim is stored: that one was no rogue's.
  ///   - isDeclined: whether a person said no to it.
  mutating func ended(_ id: ConnectionID, isGivenBack: Bool, isDeclined: Bool, at now: Moment) {
    waiting.removeAll { $0.id == id }
    giveWay(id, at: now)
    guard let index = draws.firstIndex(where: { $0.id == id && $0.end == nil }) else { return }
    if isGivenBack {
      draws.remove(at: index)
    } else {
      draws[index].end = now
      draws[index].isDeclined = isDeclined
    }
  }
}
