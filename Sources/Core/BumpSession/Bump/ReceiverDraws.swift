import BumpDiscovery

/// The order in which the receiver sends NOISE_1 to the senders that have sent WELCOME, one at a time, within the
/// limits of `Draws`. Pure.
struct ReceiverDraws: Sendable {
  /// A session that has received WELCOME.
  private struct Candidate {
    let id: ConnectionID
    let sender: SenderSearch.SenderID
    let host: RemoteHost?
  }

  private struct Draw {
    let id: ConnectionID
    let sender: SenderSearch.SenderID
    let host: RemoteHost?
    /// When the draw's session ended.
    var end: Moment?
    /// Whether the session ended because a person declined.
    var isDeclined = false
  }

  /// Whether the search may last for hours, so that old draws are forgotten.
  private let isLong: Bool
  /// The number of draws reserved for senders that have had none.
  private let reserve: Int
  /// How long other senders have time to come before one that had a draw gets another.
  private let patience: Duration
  private var draws: [Draw] = []
  private var waiting: [Candidate] = []
  /// The session of the current draw, for which others wait.
  private(set) var outstanding: ConnectionID?
  /// When a sender that had a draw may have another.
  private var nextReuse = Moment.zero

  /// - Parameters:
  ///   - isLong: whether the search may last for hours.
  ///   - isDirect: whether there is only one sender, so that no draw is reserved for another.
  ///   - asks: whether the person here chooses among offers. If not, the first offer is accepted anyway, and no time is
  ///     given to other senders.
  init(isLong: Bool, isDirect: Bool, asks: Bool) {
    self.isLong = isLong
    reserve = isDirect ? 0 : Draws.reserve
    patience = asks ? Draws.patience : .zero
  }

  /// Whether all draws are used, for now or for good.
  var isSpent: Bool { draws.count >= Draws.maximum }

  /// Whether a sender that sends WELCOME now could have a draw at once.
  var isFree: Bool { outstanding == nil && !isSpent }

  /// Whether a sender that has had no draw waits for one and may have it.
  var hasWaiting: Bool { !isSpent && waiting.contains { isFresh($0.sender, $0.host) } }

  /// When a draw is forgotten, or a sender that had a draw may have another.
  var deadline: Moment? {
    if isSpent { return forgetting }
    guard outstanding == nil, waiting.contains(where: { mayReuse || isFresh($0.sender, $0.host) }) else { return nil }
    return nextReuse
  }

  /// When the next draw is forgotten.
  var forgetting: Moment? { isLong ? draws.compactMap(\.end).min().map { $0 + Draws.memory } : nil }

  /// Whether a sender has had no draw, neither under its name nor from its address.
  func isFresh(_ sender: SenderSearch.SenderID, _ host: RemoteHost? = nil) -> Bool {
    !draws.contains { $0.sender == sender || ($0.host != nil && $0.host == host) }
  }

  /// Whether a sender may still have a draw, now or later.
  func mayDraw(_ sender: SenderSearch.SenderID, _ host: RemoteHost?) -> Bool { mayReuse || isFresh(sender, host) }

  /// Returns when a sender that may have no draw now may have one again, in a long search: once enough draws are
  /// forgotten, or all of its own. `nil` while too many of those sessions are still open.
  func readmission(of sender: SenderSearch.SenderID, _ host: RemoteHost?) -> Moment? {
    guard isLong else { return nil }
    let excess = draws.count - (Draws.maximum - reserve)
    let ends = draws.compactMap(\.end).sorted()
    let enough = ends.indices.contains(excess) ? ends[excess] : nil
    let own = draws.filter { $0.sender == sender || ($0.host != nil && $0.host == host) }.map(\.end)
    let last = own.contains(nil) ? nil : own.compactMap(\.self).max()
    return [enough, last].compactMap(\.self).min().map { $0 + Draws.memory }
  }

  /// How many of the draws ended because a person declined, and how many did not.
  var results: (declined: Int, failed: Int) {
    let declined = draws.count(where: \.isDeclined)
    return (declined, draws.count - declined)
  }

  private var mayReuse: Bool { draws.count < Draws.maximum - reserve }

  /// Forgets the draws that no longer count.
  mutating func prune(at now: Moment) {
    guard isLong else { return }
    draws.removeAll { draw in draw.end.map { now >= $0 + Draws.memory } ?? false }
  }

  /// Notes that a sender has sent WELCOME and waits for a draw.
  mutating func add(_ id: ConnectionID, _ sender: SenderSearch.SenderID, _ host: RemoteHost?) {
    waiting.append(Candidate(id: id, sender: sender, host: host))
  }

  /// Returns the session that gets the next draw, if there is one. Senders that have had none come first, in the order
  /// of their WELCOME.
  mutating func next(at now: Moment) -> ConnectionID? {
    guard isFree else { return nil }
    let fresh = waiting.firstIndex { isFresh($0.sender, $0.host) }
    guard let index = fresh ?? (mayReuse && now >= nextReuse ? waiting.indices.first : nil) else { return nil }
    let taken = waiting.remove(at: index)
    draws.append(Draw(id: taken.id, sender: taken.sender, host: taken.host))
    outstanding = taken.id
    return taken.id
  }

  /// Ends the wait for this session, which itself goes on.
  mutating func giveWay(_ id: ConnectionID, at now: Moment) {
    guard outstanding == id else { return }
    outstanding = nil
    nextReuse = now + patience
  }

  /// Notes that a session has ended.
  ///
  /// - Parameters:
  ///   - isGivenBack: whether the session's draw no longer counts: a person accepted and the claim is stored, so the
  ///     sender was no attacker.
  ///   - isDeclined: whether a person declined.
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
