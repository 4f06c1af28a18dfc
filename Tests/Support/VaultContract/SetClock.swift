import Synchronization

/// A clock that stands until it is set. Seconds since 1970.
package final class SetClock: Sendable {
  private let moment: Mutex<Int64>

  /// At first a whole minute, eight hours after midnight.
  package init(_ moment: Int64 = 1_800_000_000) {
    self.moment = Mutex(moment)
  }

  package var now: Int64 { moment.withLock { $0 } }
  package func set(_ moment: Int64) { self.moment.withLock { $0 = moment } }
  package func advance(by seconds: Int64) { moment.withLock { $0 += seconds } }
}
