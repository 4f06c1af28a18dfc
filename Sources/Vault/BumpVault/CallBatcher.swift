import Synchronization

/// Runs calls together that wait at the same time.
///
/// A call runs at once if no other is running. Calls that come meanwhile share the next run, in their order. So no call
/// waits for others to come, and the more calls there are, the less each one costs.
package final class CallBatcher<Input: Sendable, Output: Sendable>: Sendable {
  private typealias Waiting = (input: Input, continuation: CheckedContinuation<Output, any Error>)

  private struct State {
    var waiting: [Waiting] = []
    var isRunning = false
    /// The number of calls in the present run.
    var inRun = 0
  }

  private let most: Int
  private let body: @Sendable ([Input]) async -> [Result<Output, any Error>]
  private let state = Mutex(State())

  /// - Parameters:
  ///   - most: the greatest number of calls in a run.
  ///   - body: returns a result for each call, in their order.
  package init(most: Int = 64, _ body: @escaping @Sendable ([Input]) async -> [Result<Output, any Error>]) {
    (self.most, self.body) = (most, body)
  }

  /// Waits for the call's result, even if the task is cancelled.
  package func callAsFunction(_ input: Input) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
      let isFirst = state.withLock { state in
        state.waiting.append((input, continuation))
        defer { state.isRunning = true }
        return !state.isRunning
      }
      if isFirst { Task { await run() } }
    }
  }

  /// The number of calls that wait for the next run, for tests.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// The number of calls in the present run, for tests.
  package var runningCount: Int { state.withLock(\.inRun) }

  /// Runs until no call waits.
  private func run() async {
    while case let calls = next(), !calls.isEmpty {
      let results = await body(calls.map(\.input))
      precondition(results.count == calls.count, "a result for each call")
      for (call, result) in zip(calls, results) { call.continuation.resume(with: result) }
    }
  }

  private func next() -> [Waiting] {
    state.withLock { state in
      let calls = Array(state.waiting.prefix(most))
      state.waiting.removeFirst(calls.count)
      state.isRunning = !calls.isEmpty
      state.inRun = calls.count
      return calls
    }
  }
}
