package import BumpVault
import Synchronization

/// A machine whose clock stands until it is set. Seconds since 1970.
package final class SetClock: Sendable {
  private struct State {
    var moment: Int64
    var uptime: Int64 = 1000
    var boot = 1
    /// What moves the clock, if anything does, and what it said when the clock was set.
    var source: (now: @Sendable () -> Int64, start: Int64)?

    var elapsed: Int64 { source.map { $0.now() - $0.start } ?? 0 }
    var now: Int64 { moment + elapsed }
    var machine: MachineTime { MachineTime(clock: now, uptime: uptime + elapsed, boot: "boot \(boot)") }
  }

  private let state: Mutex<State>

  /// At first a whole minute, eight hours after midnight.
  package init(_ moment: Int64 = 1_800_000_000) {
    state = Mutex(State(moment: moment))
  }

  package var now: Int64 { state.withLock(\.now) }
  package var machine: MachineTime { state.withLock(\.machine) }

  /// From now on the clock goes as another one does.
  package func run(by now: @escaping @Sendable () -> Int64) {
    state.withLock { $0.source = (now, now()) }
  }

  /// Lets time pass until a moment. A clock that is set back takes no time.
  package func set(_ moment: Int64) {
    state.withLock {
      $0.uptime += max(0, moment - $0.now)
      $0.moment = moment - $0.elapsed
    }
  }

  package func advance(by seconds: Int64) { set(now + seconds) }

  /// Sets the clock ahead or back, in no time.
  package func jump(by seconds: Int64) { state.withLock { $0.moment += seconds } }

  /// Turns the machine off for a while, and starts it, with a clock that is ahead or behind by so much.
  package func restart(after seconds: Int64, clockAhead lead: Int64 = 0) {
    state.withLock {
      $0.moment += seconds + lead
      $0.uptime = 0
      $0.boot += 1
    }
  }
}
