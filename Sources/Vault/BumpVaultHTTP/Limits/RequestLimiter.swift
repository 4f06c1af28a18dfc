import Synchronization

/// Counts requests per network in a bucket that leaks evenly (the generic cell rate algorithm): a minute's requests may
/// come at once, and after that as many as leak out.
final class RequestLimiter: Sendable {
  private struct State {
    /// When each network's bucket will be empty, in microseconds.
    var empties: [ClientAddress?: Int64] = [:]
    var purge = Purge()
  }

  private let state = Mutex(State())
  /// How long one request takes to leak out, in microseconds.
  let step: Int64
  /// The size of a bucket, in microseconds.
  static let minute: Int64 = 60_000_000
  /// The number of networks that have a bucket of their own. All further ones share a bucket, so that many addresses
  /// cost no memory.
  private let capacity: Int

  /// - Parameters:
  ///   - perMinute: the requests of a network in a minute; at least 1.
  ///   - capacity: the number of networks that have a bucket of their own.
  init(perMinute: Int, capacity: Int = 65_536) {
    step = max(1, Self.minute / Int64(max(1, perMinute)))
    self.capacity = capacity
  }

  /// Counts a request, or returns after how many seconds it may be repeated.
  ///
  /// - Parameters:
  ///   - now: the milliseconds of a clock that is never set.
  ///   - isCounted: whether to count the request, or only to check the limit.
  /// - Returns: `nil` if the request is within the limit.
  func wait(_ network: ClientAddress, at now: Int64, isCounted: Bool = true) -> Int64? {
    let now = now * 1000
    return state.withLock { state in
      if state.empties.count >= capacity, state.purge.isDue(at: now) {
        state.empties = state.empties.filter { $0.value > now }
      }
      let key = state.empties[network] != nil || state.empties.count < capacity ? network : nil
      let filled = max(state.empties[key] ?? 0, now) + step
      let surplus = filled - now - Self.minute
      guard surplus <= 0 else { return (surplus + 999_999) / 1_000_000 }
      if isCounted { state.empties[key] = filled }
      return nil
    }
  }
}

/// Decides when to remove old entries from a full table: at most once a second, or each request would pay for it.
struct Purge {
  private var last: Int64?

  /// Returns whether to do it now.
  ///
  /// - Parameter now: the time in microseconds.
  mutating func isDue(at now: Int64) -> Bool {
    if let last, now - last < 1_000_000 { return false }
    last = now
    return true
  }
}
