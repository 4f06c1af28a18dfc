/// Does work, and cancels it where it takes longer than a limit.
///
/// - Returns: what the work returned; `nil` where the time was up, or the task was cancelled.
func withTimeout<Result: Sendable>(
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
