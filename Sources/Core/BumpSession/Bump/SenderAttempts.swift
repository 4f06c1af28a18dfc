import BumpDiscovery

/// The receivers that the sender answers with its key, within the limits of `AttemptBudget`. Pure.
struct SenderAttempts: Sendable {
  /// Whether the person here chooses among receivers. If not, the first that accepts gets the claim anyway.
  private let asks: Bool
  /// How many attempts the bump may use.
  private let maximum: Int
  /// How many attempts were used.
  private(set) var count = 0
  /// The hosts that had an attempt.
  private var attempted: Set<RemoteHost> = []
  /// When a host that had an attempt may have another, if no other receiver is connected.
  private var nextReuse = Moment.zero
  /// The hosts that came again and get no further attempt.
  private var turnedAway: Set<RemoteHost> = []

  init(asks: Bool, maximum: Int) {
    (self.asks, self.maximum) = (asks, maximum)
  }

  /// Whether no attempt is left.
  var isSpent: Bool { count >= maximum }

  /// Whether a host that had an attempt may have another: the last attempt is reserved for a host that had none.
  private var mayReuse: Bool { count < maximum - AttemptBudget.reserve }

  /// Returns whether a host may have an attempt. Each host has one, and another only if no other receiver is connected,
  /// so that one host alone does not use up all attempts.
  func mayAttempt(_ host: RemoteHost?, at now: Moment, isAlone: () -> Bool) -> Bool {
    guard !isSpent else { return false }
    guard asks, let host, attempted.contains(host) else { return true }
    return mayReuse && now >= nextReuse && isAlone()
  }

  /// Notes that our key was shown to a host.
  mutating func add(_ host: RemoteHost?) {
    count += 1
    if let host { attempted.insert(host) }
  }

  /// Notes that the session of an attempt has ended.
  mutating func ended(at now: Moment) { nextReuse = now + AttemptBudget.patience }

  /// Notes that a host was refused an attempt.
  ///
  /// - Returns: whether to report that this host gets no further attempt, which happens once for each host.
  mutating func turnAway(_ host: RemoteHost?) -> Bool {
    guard let host, !isSpent, !mayReuse, attempted.contains(host) else { return false }
    return turnedAway.insert(host).inserted
  }

  /// Admits a host once more, as the person here wants: it may have the attempt that is reserved for others.
  mutating func readmit(_ host: RemoteHost?) {
    if let host { attempted.remove(host) }
  }
}
