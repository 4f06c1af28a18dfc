import Synchronization

/// A clock whose time passes only when a test says so.
public final class ManualClock: Clock, Sendable {
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
    var watchers: [(deadline: Instant, continuation: CheckedContinuation<Void, Never>)] = []

    /// Removes those that wait for a sleeper with this deadline.
    mutating func takeWatchers(of deadline: Instant) -> [CheckedContinuation<Void, Never>] {
      let taken = watchers.filter { $0.deadline == deadline }.map(\.continuation)
      watchers.removeAll { $0.deadline == deadline }
      return taken
    }
  }

  private let state = Mutex(State())

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

  /// Lets time pass, and wakes whoever's time has come, the earliest first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Returns once somebody sleeps until so long after the beginning: at once where somebody does already.
  public func hasSleeper(until offset: Duration) async {
    let deadline = Instant(offset: offset)
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        let isThere = state.sleepers.values.contains { $0.deadline == deadline }
        if !isThere { state.watchers.append((deadline, continuation)) }
        return isThere
      }
      if isThere { continuation.resume() }
    }
  }
}
