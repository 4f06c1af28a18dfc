extension Duration {
  /// The time after which a test counts as hanging: the one limit of time that tests of real processes have. What `bump`
  /// promises of times is held by tests with a clock of their own, and how long something takes is a figure of a benchmark.
  public static let hang = Duration.seconds(180)
}

/// What did not happen in time.
public struct TimedOut: Error, CustomStringConvertible {
  public let description: String
}

/// Does work, and cancels it where it takes longer than a limit.
///
/// - Throws: `TimedOut`, or what the work throws.
public func withTimeout<Result: Sendable>(
  _ limit: Duration = .hang, _ what: String = "what the test waits for",
  _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result.self) { group in
    defer { group.cancelAll() }
    group.addTask(operation: work)
    group.addTask {
      try await Task.sleep(for: limit)
      throw TimedOut(description: "not within \(limit): \(what)")
    }
    guard let first = try await group.next() else { throw CancellationError() }
    return first
  }
}

/// Looks every ten milliseconds for something of which no event tells.
///
/// - Throws: `TimedOut`, or what the look throws.
public func poll<Result: Sendable>(
  _ what: String, _ look: @escaping @Sendable () async throws -> Result?
) async throws -> Result {
  try await withTimeout(.hang, what) {
    while true {
      if let result = try await look() { return result }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

/// Waits until something holds of which no event tells.
///
/// - Throws: `TimedOut`, or what the condition throws.
public func waitUntil(_ what: String, _ holds: @escaping @Sendable () async throws -> Bool) async throws {
  try await poll(what) { try await holds() ? () : nil }
}
