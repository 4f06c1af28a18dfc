import Synchronization

/// A semaphore for tasks. Waiting tasks are resumed in the order of their arrival.
final class TaskSemaphore: Sendable {
  private enum Ending { case turn, timedOut, cancelled, closed }

  private struct Waiting {
    let number: UInt64
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<Ending, Never>
  }

  private struct State {
    var free: Int
    var isClosed = false
    var lastNumber: UInt64 = 0
    /// The waiting tasks, the earliest deadline first.
    var waiting: [Waiting] = []
    /// Whether a task runs that ends overdue waits.
    var hasTimer = false
    /// Calls of `close` that wait until every turn is free.
    var closing: [CheckedContinuation<Void, Never>] = []
  }

  private let count: Int
  private let clock: any Clock<Duration>
  private let state: Mutex<State>

  init(_ count: Int, clock: any Clock<Duration>) {
    self.count = count
    self.clock = clock
    state = Mutex(State(free: count))
  }

  /// Waits for a turn. The caller must give it back.
  ///
  /// - Parameter limit: the time limit, the same for all.
  /// - Throws: `PostgresError` with code `busy` or `closed`, or `CancellationError`.
  func take(within limit: Duration) async throws {
    let number = state.withLock { state -> UInt64? in
      if !state.isClosed, state.waiting.isEmpty, state.free > 0 {
        state.free -= 1
        return nil
      }
      state.lastNumber += 1
      return state.lastNumber
    }
    guard let number else { return }
    switch await ending(of: number, until: .now.advanced(by: limit)) {
    case .turn: return
    case .cancelled: throw CancellationError()
    case .closed: throw PostgresError(.closed, "the connections to PostgreSQL are closed")
    case .timedOut:
      throw PostgresError(
        .busy, "no connection to PostgreSQL became free within \(limit)",
        remedy: "Make the pool larger, or the transactions shorter")
    }
  }

  func giveBack() {
    let next = state.withLock { state in
      if !state.waiting.isEmpty { return [state.waiting.removeFirst().continuation] }
      state.free += 1
      return []
    }
    for continuation in next { continuation.resume(returning: .turn) }
    endClosing()
  }

  /// Refuses further turns, and returns when all turns are given back.
  func close() async {
    let refused = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [] }
      return state.waiting.map(\.continuation)
    }
    for continuation in refused { continuation.resume(returning: .closed) }
    await withCheckedContinuation { continuation in
      state.withLock { $0.closing.append(continuation) }
      endClosing()
    }
  }

  /// The number of waiting tasks, for tests.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  private func ending(of number: UInt64, until deadline: ContinuousClock.Instant) async -> Ending {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        var needsTimer = false
        let ending = state.withLock { state -> Ending? in
          // Under the lock: a cancellation happens either before this, or finds the continuation.
          if Task.isCancelled { return .cancelled }
          if state.isClosed { return .closed }
          if state.waiting.isEmpty, state.free > 0 {
            state.free -= 1
            return .turn
          }
          state.waiting.append(Waiting(number: number, deadline: deadline, continuation: continuation))
          needsTimer = !state.hasTimer
          state.hasTimer = true
          return nil
        }
        if let ending { continuation.resume(returning: ending) }
        if needsTimer { Task { await endOverdue() } }
      }
    } onCancel: {
      end(number, .cancelled)
    }
  }

  /// Ends overdue waits, until no task waits. One task does it for all: most waits are so short that a timer for each
  /// would cost more than the wait.
  private func endOverdue() async {
    while let deadline = nextDeadline() {
      try? await clock.sleep(for: ContinuousClock.now.duration(to: deadline))
      let overdue = state.withLock { state in
        let now = ContinuousClock.now
        let overdue = state.waiting.prefix { $0.deadline <= now }
        state.waiting.removeFirst(overdue.count)
        return overdue.map(\.continuation)
      }
      for continuation in overdue { continuation.resume(returning: .timedOut) }
    }
  }

  /// Returns the earliest deadline. If no task waits, the timer ends.
  private func nextDeadline() -> ContinuousClock.Instant? {
    state.withLock { state in
      if state.waiting.isEmpty { state.hasTimer = false }
      return state.waiting.first?.deadline
    }
  }

  private func end(_ number: UInt64, _ ending: Ending) {
    let continuation = state.withLock { state in
      state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
    }
    continuation?.resume(returning: ending)
  }

  private func endClosing() {
    let closing = state.withLock { state in
      guard state.free == count else { return [CheckedContinuation<Void, Never>]() }
      defer { state.closing = [] }
      return state.closing
    }
    for continuation in closing { continuation.resume() }
  }
}
