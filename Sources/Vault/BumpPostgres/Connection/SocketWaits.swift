import BumpSystem
import Synchronization

/// Suspends tasks until their sockets are ready. One thread waits for all of them, so no thread of Swift's pool blocks.
final class SocketWaits: Sendable {
  enum Ending: Sendable { case ready, timedOut, cancelled, failed }

  /// The instance of this process.
  static let shared = SocketWaits()

  private struct Wait {
    let socket: Int32
    let deadline: ContinuousClock.Instant?
    let continuation: CheckedContinuation<Ending, Never>
  }

  private struct State {
    var waits: [UInt64: Wait] = [:]
    var lastToken = Epoll.alarmToken
    /// The next time the thread wakes up. The wait with this deadline may have ended already. So a later deadline,
    /// which most statements have, need not wake the thread.
    var wakeUp: ContinuousClock.Instant?
  }

  private let epoll = Epoll()
  private let state = Mutex(State())

  private init() {
    startThread { [self] in
      while true { turn() }
    }
  }

  /// Waits until a socket is ready, and returns why the wait ended. A socket has one wait at a time.
  ///
  /// - Parameter isCancellable: whether the task's cancellation ends the wait.
  func wait(
    for socket: Int32, _ interest: Epoll.Interest, until deadline: ContinuousClock.Instant?, isCancellable: Bool = true
  ) async -> Ending {
    let token = state.withLock { state in
      state.lastToken += 1
      return state.lastToken
    }
    guard isCancellable else {
      return await withCheckedContinuation {
        begin(token, Wait(socket: socket, deadline: deadline, continuation: $0), interest)
      }
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation {
        begin(token, Wait(socket: socket, deadline: deadline, continuation: $0), interest, unlessCancelled: true)
      }
    } onCancel: {
      end(token, .cancelled)
    }
  }

  private func begin(_ token: UInt64, _ wait: Wait, _ interest: Epoll.Interest, unlessCancelled: Bool = false) {
    let (ending, isEarlier) = state.withLock { state -> (Ending?, Bool) in
      // Under the lock: a cancellation happens either before this, or finds the wait.
      if unlessCancelled, Task.isCancelled { return (.cancelled, false) }
      guard epoll.add(wait.socket, interest, token: token) else { return (.failed, false) }
      state.waits[token] = wait
      guard let deadline = wait.deadline, state.wakeUp.map({ deadline < $0 }) ?? true else { return (nil, false) }
      state.wakeUp = deadline
      return (nil, true)
    }
    if let ending { wait.continuation.resume(returning: ending) }
    if isEarlier { epoll.ring() }
  }

  private func end(_ token: UInt64, _ ending: Ending) {
    let wait = state.withLock { state in
      let wait = state.waits.removeValue(forKey: token)
      // A reported socket is disarmed already.
      if let wait, ending != .ready { epoll.remove(wait.socket) }
      return wait
    }
    wait?.continuation.resume(returning: ending)
  }

  private func turn() {
    for token in epoll.next(within: timeToWakeUp()) where token != Epoll.alarmToken { end(token, .ready) }
    for token in overdue() { end(token, .timedOut) }
  }

  private func timeToWakeUp() -> Int32 {
    guard let wakeUp = state.withLock({ $0.wakeUp }) else { return -1 }
    // Rounded up: a thread that wakes up too early would spin.
    let milliseconds = ContinuousClock.now.duration(to: wakeUp) / .milliseconds(1)
    return Int32(min(max(0, milliseconds.rounded(.up)), 1_000_000))
  }

  private func overdue() -> [UInt64] {
    state.withLock { state in
      let now = ContinuousClock.now
      guard let wakeUp = state.wakeUp, wakeUp <= now else { return [] }
      state.wakeUp = state.waits.values.compactMap(\.deadline).filter { $0 > now }.min()
      return state.waits.filter { $0.value.deadline.map { $0 <= now } ?? false }.map(\.key)
    }
  }
}
