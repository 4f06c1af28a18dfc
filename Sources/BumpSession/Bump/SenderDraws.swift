import BumpDiscovery

/// Which receivers the sender answers with its key, while `Draws` allows it. Pure.
struct SenderDraws: Sendable {
  /// Whether somebody may compare digits: here, or at the other end, which we cannot know. Where a code or a key tells who
  /// is there, they tell nothing more.
  let counts: Bool
  /// Whether our person chooses among receivers. Else the first that accepts is taken anyway.
  private let asks: Bool
  /// How many draws the claim has left at the beginning.
  private let maximum: Int
  /// How many were given.
  private(set) var count = 0
  /// The hosts that had one.
  private var drawn: Set<RemoteHost> = []
  /// From when on one of them may have another, were nobody else there.
  private var nextReuse = Moment.zero
  /// Those that came again, and may have none any more.
  private var turnedAway: Set<RemoteHost> = []

  init(_ policy: SenderBump.Policy) {
    (counts, asks, maximum) = (policy.credential.drawsDigits, policy.asks, policy.draws)
  }

  /// Whether no draw is left.
  var isSpent: Bool { counts && count >= maximum }

  /// Whether draws are left for hosts that had one: the last is for one that had none.
  private var mayReuse: Bool { count < maximum - Draws.reserve }

  /// Whether a host may have a draw: each has one, and another only where nobody else is there, so that one alone does not
  /// use up all.
  func mayDraw(_ host: RemoteHost?, at now: Moment, isAlone: () -> Bool) -> Bool {
    guard counts else { return true }
    guard !isSpent else { return false }
    guard asks, let host, drawn.contains(host) else { return true }
    return mayReuse && now >= nextReuse && isAlone()
  }

  /// Notes that our key was shown to a host.
  mutating func add(_ host: RemoteHost?) {
    count += 1
    if let host { drawn.insert(host) }
  }

  /// The session of a draw has ended.
  mutating func ended(at now: Moment) { nextReuse = now + Draws.patience }

  /// Notes a host that was not given a draw.
  ///
  /// - Returns: whether it is to be told, once: it will not be admitted, however long it tries.
  mutating func turnAway(_ host: RemoteHost?) -> Bool {
    guard let host, !isSpent, !mayReuse, drawn.contains(host) else { return false }
    return turnedAway.insert(host).inserted
  }

  /// Our person lets a host in once more: it may have the draw that is kept for others.
  mutating func readmit(_ host: RemoteHost?) {
    if let host { drawn.remove(host) }
  }
}
