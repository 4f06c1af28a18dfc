import Foundation
import Lab
import Testing

/// What these tests wait by.
@Suite struct WatchedTests {
  /// Were the waiting task resumed under the value's lock, the change and the cancellation would wait for each other.
  @Test func `a wait may be cancelled while its condition comes true`() async throws {
    let watched = ObservedValue(false)
    let (tries, tried) = AsyncStream.makeStream(of: Void.self)
    let waiting = Task {
      try await watched.wait { value in
        tried.yield()
        return value ? () : nil
      }
    }
    for await _ in tries { break }
    let (holds, held) = AsyncStream.makeStream(of: Void.self)
    let changing = Task {
      watched.change { value in
        held.yield()
        // No event tells that the cancellation waits for the lock.
        Thread.sleep(forTimeInterval: 0.1)
        value = true
      }
    }
    for await _ in holds { break }
    waiting.cancel()
    await changing.value
    try await waiting.value
  }
}
