import BumpWire

/// The time that a sender spends in the queues of receivers: its time for finding a receiver does not run meanwhile.
/// Pure.
///
/// In mode open anybody may tell a sender that it waits. So all of this time together has a limit: as long as a whole
/// queue may take.
struct QueuedTime: Sendable {
  static let maximum = Times.place * Int(WireLimits.places.upperBound)

  /// Since when a receiver has the sender in its queue; `nil` while none has.
  private var since: Moment?
  private var left = Self.maximum

  /// When the sender leaves the queues; `nil` while it is in none.
  var end: Moment? { since.map { $0 + left } }

  /// Whether the sender may wait in no queue any more.
  var isSpent: Bool { left <= .zero }

  /// Notes whether a receiver has the sender in its queue now.
  ///
  /// - Returns: by how much longer the time for finding a receiver runs. That is zero as long as the sender waits.
  mutating func note(_ isQueued: Bool, at now: Moment) -> Duration {
    if isQueued {
      since = since ?? now
      return .zero
    }
    guard let since else { return .zero }
    self.since = nil
    let time = min(now - since, left)
    left -= time
    return time
  }
}
