/// The leases of one server, and its decisions by them.
///
/// A leased request that is not used lapses once it has leaked out of the common bucket. So the servers together stay
/// within the limit, whenever they use their leases, except for one request, which may have leaked in part.
struct RequestLeases {
  enum Verdict: Hashable, Sendable {
    case passes
    /// The request may be repeated after this number of seconds.
    case refused(Int64)
    /// The server must ask for another lease first.
    case needsLease
  }

  private enum Entry {
    /// A number of leased requests. The last of them leaks out at that time.
    case lease(Int64, until: Int64)
    case full(until: Int64)
  }

  private var entries: [ClientAddress?: Entry] = [:]
  private var purge = Purge()
  private let capacity: Int
  /// How long one request takes to leak out, in microseconds.
  let step: Int64
  /// The number of requests in one lease: a tenth of a minute's.
  let share: Int64

  init(perMinute: Int, step: Int64, capacity: Int = 65_536) {
    (self.step, self.capacity) = (step, capacity)
    share = max(1, Int64(perMinute) / 10)
  }

  /// Returns the key under which a network is counted: the network, or `nil` if there are too many.
  mutating func key(of network: ClientAddress, at now: Int64) -> ClientAddress? {
    if entries.count >= capacity, purge.isDue(at: now) {
      entries = entries.filter { entry in
        switch entry.value {
        case .lease(let count, let until): count > 0 && until > now
        case .full(let until): until > now
        }
      }
    }
    return entries[network] != nil || entries.count < capacity ? network : nil
  }

  /// Decides about a request, and uses up its lease.
  ///
  /// - Parameters:
  ///   - now: the microseconds of a clock that is never set.
  ///   - isCounted: whether to count the request, or only to check the limit.
  mutating func verdict(on key: ClientAddress?, at now: Int64, isCounted: Bool) -> Verdict {
    switch entries[key] {
    case .lease(let count, let until):
      let left = min(count, (until - now + step - 1) / step)
      guard left > 0 else { return .needsLease }
      if isCounted { entries[key] = .lease(left - 1, until: until) }
      return .passes
    case .full(let until) where until > now: return .refused((until - now + 999_999) / 1_000_000)
    case .full, nil: return .needsLease
    }
  }

  /// Records a lease.
  ///
  /// - Parameter asked: the time when the server asked for it, in microseconds. The lease was given later, so here it
  ///   lapses early rather than late.
  mutating func note(_ lease: RequestLease, for key: ClientAddress?, askedAt asked: Int64) {
    entries[key] =
      lease.count > 0
      ? .lease(lease.count, until: asked + lease.level)
      : .full(until: asked + max(1000, lease.level + step - RequestLimiter.minute))
  }
}
