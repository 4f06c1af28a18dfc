import Dispatch

/// Races the work against a deadline; the loser is cancelled.
///
/// - Returns: `nil` where the deadline won, or the task was cancelled.
func within<Result: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async -> Result
) async -> Result? {
  await withTaskGroup(of: Result?.self) { group in
    defer { group.cancelAll() }
    group.addTask(operation: work)
    group.addTask {
      try? await Task.sleep(for: limit)
      return nil
    }
    return await group.next() ?? nil
  }
}

/// Does work that blocks its thread, which must not be one of Swift's own pool.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: work()) }
  }
}
