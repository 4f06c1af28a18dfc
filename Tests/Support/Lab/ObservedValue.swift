import Synchronization

/// A value that tasks wait on: their conditions are tried at every change, so nobody has to poll.
public final class ObservedValue<Value: Sendable>: Sendable {
  private struct Waiter: Sendable {
    let id: UInt64
    /// Tries the condition. Returns what resumes the waiting task; `nil` if the condition does not hold.
    let attempt: @Sendable (inout Value) -> (@Sendable () -> Void)?
    let cancel: @Sendable () -> Void
  }

  private struct State: Sendable {
    var value: Value
    var waiters: [Waiter] = []
    var nextID: UInt64 = 0
  }

  private let state: Mutex<State>

  public init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  public var value: Value { state.withLock { $0.value } }

  /// Changes the value, and resumes the tasks whose condition holds now.
  ///
  /// They are resumed without the lock. Resuming takes a lock of the waiting task, under which the task's cancellation
  /// takes the lock here.
  public func change<Result>(_ body: (inout Value) -> Result) -> Result {
    var resumptions: [@Sendable () -> Void] = []
    let result = state.withLock { state in
      let result = body(&state.value)
      state.waiters.removeAll { waiter in
        guard let resume = waiter.attempt(&state.value) else { return false }
        resumptions.append(resume)
        return true
      }
      return result
    }
    for resume in resumptions { resume() }
    return result
  }

  /// Returns as soon as the condition gives something. First come, first served; the condition may change the value.
  ///
  /// - Throws: `CancellationError` where the waiting task is cancelled.
  public func wait<Result: Sendable>(for condition: @escaping @Sendable (inout Value) -> Result?) async throws -> Result
  {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Result, any Error>) in
        let waiter = Waiter(id: id) { value in
          guard let result = condition(&value) else { return nil }
          return { continuation.resume(returning: result) }
        } cancel: {
          continuation.resume(throwing: CancellationError())
        }
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
          if Task.isCancelled { return waiter.cancel }
          if let resume = waiter.attempt(&state.value) { return resume }
          state.waiters.append(waiter)
          return nil
        }
        resume?()
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.cancel()
    }
  }
}
