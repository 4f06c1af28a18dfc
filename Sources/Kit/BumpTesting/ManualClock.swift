import Synchronization

/// A clock whose time passes only when a test advances it.
public final class ManualClock: Clock, Sendable {
  /// A time on this clock, which begins at zero.
  public struct Instant: InstantProtocol {
    let offset: Duration

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var next = 0
    var watchers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, Never>)] = [:]

    /// Removes and returns the tasks that wait for a sleeper with this deadline.
    mutating func takeWatchers(of deadline: Instant) -> [CheckedContinuation<Void, Never>] {
      let ids = watchers.filter { $0.value.deadline == deadline }.keys
      return ids.compactMap { watchers.removeValue(forKey: $0)?.continuation }
    }
  }

  private let state = Mutex(State())

  /// Makes a clock at zero.
  public init() {}

  public var now: Instant { state.withLock(\.now) }
  public var minimumResolution: Duration { .nanoseconds(1) }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (watchers, isDue, isCancelled) = state.withLock { state in
          let isCancelled = state.cancelled.remove(id) != nil
          let isDue = deadline <= state.now
          if !isCancelled, !isDue { state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation) }
          return (isCancelled ? [] : state.takeWatchers(of: deadline), isDue, isCancelled)
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) } else if isDue { continuation.resume() }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: id)
        if sleeper == nil { state.cancelled.insert(id) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Advances the time, and resumes the tasks whose deadline has passed, the earliest first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Waits until a task sleeps until `offset` after the clock's zero. Returns early if the waiting task is cancelled,
  /// as at a test's time limit.
  public func hasSleeper(until offset: Duration) async {
    let deadline = Instant(offset: offset)
    let id = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          let isOver = state.cancelled.remove(id) != nil || state.sleepers.values.contains { $0.deadline == deadline }
          if !isOver { state.watchers[id] = (deadline, continuation) }
          return isOver
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let watcher = state.withLock { state in
        let watcher = state.watchers.removeValue(forKey: id)
        if watcher == nil { state.cancelled.insert(id) }
        return watcher
      }
      watcher?.continuation.resume()
    }
  }
}
