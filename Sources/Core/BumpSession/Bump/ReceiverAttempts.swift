import BumpDiscovery

/// The order in which the receiver sends NOISE_1 to the senders that have sent WELCOME, one at a time, within the
/// limits of `AttemptBudget`. Pure.
struct ReceiverAttempts: Sendable {
  /// A session that has received WELCOME.
  private struct WaitingSession {
    let id: ConnectionID
    let sender: SenderConnector.SenderID
    let host: RemoteHost?
  }

  private struct Attempt {
    let id: ConnectionID
    let sender: SenderConnector.SenderID
    let host: RemoteHost?
    /// When the attempt's session ended.
    var end: Moment?
    /// Whether the session ended because a person declined.
    var isDeclined = false
  }

  /// Whether the search may last for hours, so that old attempts are forgotten.
  private let isLong: Bool
  /// The number of attempts reserved for senders that have had none.
  private let reserve: Int
  /// How long other senders have time to come before one that had an attempt gets another.
  private let patience: Duration
  private var attempts: [Attempt] = []
  private var waiting: [WaitingSession] = []
  /// The session of the current attempt, for which others wait.
  private(set) var outstanding: ConnectionID?
  /// When a sender that had an attempt may have another.
  private var nextReuse = Moment.zero

  /// - Parameters:
  ///   - isLong: whether the search may last for hours.
  ///   - isDirect: whether there is only one sender, so that no attempt is reserved for another.
  ///   - asks: whether the person here chooses among offers. If not, the first offer is accepted anyway, and no time is
  ///     given to other senders.
  init(isLong: Bool, isDirect: Bool, asks: Bool) {
    self.isLong = isLong
    reserve = isDirect ? 0 : AttemptBudget.reserve
    patience = asks ? AttemptBudget.patience : .zero
  }

  /// Whether all attempts are used, for now or for good.
  var isSpent: Bool { attempts.count >= AttemptBudget.maximum }

  /// Whether a sender that sends WELCOME now could have an attempt at once.
  var isFree: Bool { outstanding == nil && !isSpent }

  /// The sessions that wait for an attempt, in the order in which they get one.
  var line: [ConnectionID] {
    let fresh = waiting.filter { isFresh($0.sender, $0.host) }.map(\.id)
    return fresh + waiting.map(\.id).filter { !fresh.contains($0) }
  }

  /// Whether a sender that has had no attempt waits for one and may have it.
  var hasWaiting: Bool { !isSpent && waiting.contains { isFresh($0.sender, $0.host) } }

  /// When an attempt is forgotten, or a sender that had an attempt may have another.
  var deadline: Moment? {
    if isSpent { return forgetting }
    guard outstanding == nil, waiting.contains(where: { mayReuse || isFresh($0.sender, $0.host) }) else { return nil }
    return nextReuse
  }

  /// When the next attempt is forgotten.
  var forgetting: Moment? { isLong ? attempts.compactMap(\.end).min().map { $0 + AttemptBudget.memory } : nil }

  /// Whether a sender has had no attempt, neither under its name nor from its address.
  func isFresh(_ sender: SenderConnector.SenderID, _ host: RemoteHost? = nil) -> Bool {
    !attempts.contains { $0.sender == sender || ($0.host != nil && $0.host == host) }
  }

  /// Whether a sender may still have an attempt, now or later.
  func mayAttempt(_ sender: SenderConnector.SenderID, _ host: RemoteHost?) -> Bool { mayReuse || isFresh(sender, host) }

  /// Returns when a sender that may have no attempt now may have one again, in a long search: once enough attempts are
  /// forgotten, or all of its own. `nil` while too many of those sessions are still open.
  func readmission(of sender: SenderConnector.SenderID, _ host: RemoteHost?) -> Moment? {
    guard isLong else { return nil }
    let excess = attempts.count - (AttemptBudget.maximum - reserve)
    let ends = attempts.compactMap(\.end).sorted()
    let enough = ends.indices.contains(excess) ? ends[excess] : nil
    let own = attempts.filter { $0.sender == sender || ($0.host != nil && $0.host == host) }.map(\.end)
    let last = own.contains(nil) ? nil : own.compactMap(\.self).max()
    return [enough, last].compactMap(\.self).min().map { $0 + AttemptBudget.memory }
  }

  /// How many of the attempts ended because a person declined, and how many did not.
  var results: (declined: Int, failed: Int) {
    let declined = attempts.count(where: \.isDeclined)
    return (declined, attempts.count - declined)
  }

  private var mayReuse: Bool { attempts.count < AttemptBudget.maximum - reserve }

  /// Forgets the attempts that no longer count.
  mutating func prune(at now: Moment) {
    guard isLong else { return }
    attempts.removeAll { attempt in attempt.end.map { now >= $0 + AttemptBudget.memory } ?? false }
  }

  /// Notes that a sender has sent WELCOME and waits for an attempt.
  mutating func add(_ id: ConnectionID, _ sender: SenderConnector.SenderID, _ host: RemoteHost?) {
    waiting.append(WaitingSession(id: id, sender: sender, host: host))
  }

  /// Returns the session that gets the next attempt, if there is one. Senders that have had none come first, in the
  /// order of their WELCOME.
  mutating func next(at now: Moment) -> ConnectionID? {
    guard isFree else { return nil }
    let fresh = waiting.firstIndex { isFresh($0.sender, $0.host) }
    guard let index = fresh ?? (mayReuse && now >= nextReuse ? waiting.indices.first : nil) else { return nil }
    let taken = waiting.remove(at: index)
    attempts.append(Attempt(id: taken.id, sender: taken.sender, host: taken.host))
    outstanding = taken.id
    return taken.id
  }

  /// Ends the wait for this session, which itself goes on.
  mutating func yieldTurn(_ id: ConnectionID, at now: Moment) {
    guard outstanding == id else { return }
    outstanding = nil
    nextReuse = now + patience
  }

  /// Notes that a session has ended.
  ///
  /// - Parameters:
  ///   - isGivenBack: whether the session's attempt no longer counts: a person accepted and the claim is stored, so the
  ///     sender was no attacker.
  ///   - isDeclined: whether a person declined.
  mutating func ended(_ id: ConnectionID, isGivenBack: Bool, isDeclined: Bool, at now: Moment) {
    waiting.removeAll { $0.id == id }
    yieldTurn(id, at: now)
    guard let index = attempts.firstIndex(where: { $0.id == id && $0.end == nil }) else { return }
    if isGivenBack {
      attempts.remove(at: index)
    } else {
      attempts[index].end = now
      attempts[index].isDeclined = isDeclined
    }
  }
}
