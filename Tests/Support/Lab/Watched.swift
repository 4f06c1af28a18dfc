import Synchronization

/// A value that tasks wait on: their conditions are tried at every change, so nobody has to poll.
public final class Watched<Value: Sendable>: Sendable {
  private struct Waiter: Sendable {
    let id: UInt64
    /// Whether the condition held, and the waiting task was told so.
    let resume: @Sendable (inout Value) -> Bool
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

  public func change<Result>(_ body: (inout Value) -> Result) -> Result {
    state.withLock { state in
      let result = body(&state.value)
      state.waiters.removeAll { $0.resume(&state.value) }
      return result
    }
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
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { state in
          if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
          if let result = condition(&state.value) { return continuation.resume(returning: result) }
          state.waiters.append(
            Waiter(id: id) { value in
              guard let result = condition(&value) else { return false }
              continuation.resume(returning: result)
              return true
            } cancel: {
              continuation.resume(throwing: CancellationError())
            })
        }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.cancel()
    }
  }
}
