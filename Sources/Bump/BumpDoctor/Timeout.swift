/// Does work, and cancels it after a limit.
///
/// - Returns: the result of the work; `nil` if the time was up or the task was cancelled.
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
