/// The leases that one server has, and what it says by them.
///
/// A leased request that is not used lapses when it has leaked out of the bucket of all servers. So their sum is within the
/// limit at any time, whenever they use what they have: but for one request, which may have leaked in part.
struct RequestLeases {
  enum Verdict: Hashable, Sendable {
    case passes
    /// It may be repeated after so many seconds.
    case refused(Int64)
    /// Another lease is needed first.
    case needsLease
  }

  private enum Entry {
    /// So many requests, the last of which leaks out at that time.
    case lease(Int64, until: Int64)
    case full(until: Int64)
  }

  private var entries: [ClientAddress?: Entry] = [:]
  private var purge = Purge()
  private let capacity: Int
  /// How long a request takes to leak out, in microseconds.
  let step: Int64
  /// How many requests are leased at once: a tenth of a minute's.
  let share: Int64

  init(perMinute: Int, step: Int64, capacity: Int = 65_536) {
    (self.step, self.capacity) = (step, capacity)
    share = max(1, Int64(perMinute) / 10)
  }

  /// By which name a network is counted: `nil` where there are too many.
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

  /// Says what becomes of a request, and uses up its lease.
  ///
  /// - Parameters:
  ///   - now: microseconds of a clock that is never set.
  ///   - isCounted: whether it is counted at all, or only asked for.
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

  /// Notes a lease.
  ///
  /// - Parameter asked: when it was asked for. It was given later, so it lapses here rather too early than too late.
  mutating func note(_ lease: RequestLease, for key: ClientAddress?, askedAt asked: Int64) {
    entries[key] =
      lease.count > 0
      ? .lease(lease.count, until: asked + lease.level)
      : .full(until: asked + max(1000, lease.level + step - RequestLimiter.minute))
  }
}
