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
///
/// - Returns: `nil` where the task was cancelled before the work was done. Nobody waits for that then.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
  let (results, feed) = AsyncStream.makeStream(of: Result.self)
  DispatchQueue.global().async {
    feed.yield(work())
    feed.finish()
  }
  for await result in results { return result }
  return nil
}
