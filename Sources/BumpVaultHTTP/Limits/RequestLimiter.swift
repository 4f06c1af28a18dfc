import Synchronization

/// Counts requests per network, as a bucket that leaks evenly (the generic cell rate algorithm): as many as a minute's may
/// come at once, and after that as many as leak out.
final class RequestLimiter: Sendable {
  private struct State {
    /// When the bucket of a network will be empty again, in microseconds.
    var empties: [ClientAddress?: Int64] = [:]
    var purge = Purge()
  }

  private let state = Mutex(State())
  /// How long a request takes to leak out, in microseconds.
  let step: Int64
  /// What a bucket holds, in microseconds.
  static let minute: Int64 = 60_000_000
  /// Networks that are counted by themselves. All further ones share a bucket, so that many addresses cost no memory.
  private let capacity: Int

  /// - Parameter perMinute: requests of a network; at least 1.
  init(perMinute: Int, capacity: Int = 65_536) {
    step = max(1, Self.minute / Int64(max(1, perMinute)))
    self.capacity = capacity
  }

  /// Counts a request, or says after how many seconds it may be repeated.
  ///
  /// - Parameters:
  ///   - now: milliseconds of a clock that is never set.
  ///   - isCounted: whether it is counted at all, or only asked for.
  /// - Returns: `nil` where it is within the limit.
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

/// When a full table is gone through for what may be forgotten: once a second at most, or each request would pay for it.
struct Purge {
  private var last: Int64?

  /// - Parameter now: microseconds.
  mutating func isDue(at now: Int64) -> Bool {
    if let last, now - last < 1_000_000 { return false }
    last = now
    return true
  }
}
