import BumpDiscovery

/// The receivers that the sender answers with its key, within the limits of `Draws`. Pure.
struct SenderDraws: Sendable {
  /// Whether the person here chooses among receivers. If not, the first that accepts gets the claim anyway.
  private let asks: Bool
  /// How many draws the bump may use.
  private let maximum: Int
  /// How many draws were used.
  private(set) var count = 0
  /// The hosts that had a draw.
  private var drawn: Set<RemoteHost> = []
  /// When a host that had a draw may have another, if no other receiver is connected.
  private var nextReuse = Moment.zero
  /// The hosts that came again and get no further draw.
  private var turnedAway: Set<RemoteHost> = []

  init(asks: Bool, maximum: Int) {
    (self.asks, self.maximum) = (asks, maximum)
  }

  /// Whether no draw is left.
  var isSpent: Bool { count >= maximum }

  /// Whether a host that had a draw may have another: the last draw is reserved for a host that had none.
  private var mayReuse: Bool { count < maximum - Draws.reserve }

  /// Returns whether a host may have a draw. Each host has one, and another only if no other receiver is connected, so
  /// that one host alone does not use up all draws.
  func mayDraw(_ host: RemoteHost?, at now: Moment, isAlone: () -> Bool) -> Bool {
    guard !isSpent else { return false }
    guard asks, let host, drawn.contains(host) else { return true }
    return mayReuse && now >= nextReuse && isAlone()
  }

  /// Notes that our key was shown to a host.
  mutating func add(_ host: RemoteHost?) {
    count += 1
    if let host { drawn.insert(host) }
  }

  /// Notes that the session of a draw has ended.
  mutating func ended(at now: Moment) { nextReuse = now + Draws.patience }

  /// Notes that a host was refused a draw.
  ///
  /// - Returns: whether to report that this host gets no further draw, which happens once for each host.
  mutating func turnAway(_ host: RemoteHost?) -> Bool {
    guard let host, !isSpent, !mayReuse, drawn.contains(host) else { return false }
    return turnedAway.insert(host).inserted
  }

  /// Admits a host once more, as the person here wants: it may have the draw that is reserved for others.
  mutating func readmit(_ host: RemoteHost?) {
    if let host { drawn.remove(host) }
  }
}
