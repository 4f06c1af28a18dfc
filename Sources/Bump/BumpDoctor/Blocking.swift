import BumpSystem

/// Does blocking work in a thread of its own.
///
/// - Returns: `nil` if the task is cancelled before the work is done. The thread then goes on by itself.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
  let (results, feed) = AsyncStream.makeStream(of: Result.self)
  startThread {
    feed.yield(work())
    feed.finish()
  }
  for await result in results { return result }
  return nil
}
