import BumpThreads

/// Does work that blocks.
///
/// - Returns: `nil` where the task was cancelled before the work was done. Nobody waits for that then.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
  let (results, feed) = AsyncStream.makeStream(of: Result.self)
  startThread {
    feed.yield(work())
    feed.finish()
  }
  for await result in results { return result }
  return nil
}
