struct TookTooLong: Error {}

/// The result of a body, or `TookTooLong` once the time is over, which is no promise but tells a test that hangs; then the
/// body is cancelled.
func within<T: Sendable>(
  _ limit: Duration = .seconds(60), _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
  try await withThrowingTaskGroup(of: T.self) { group in
    defer { group.cancelAll() }
    group.addTask(operation: body)
    group.addTask {
      try await Task.sleep(for: limit)
      throw TookTooLong()
    }
    guard let result = try await group.next() else { throw CancellationError() }
    return result
  }
}
