import BumpTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct ManualClockTests {
  /// Else a test whose time is up would go on for ever, and the whole run with it.
  @Test(arguments: [0, 100]) func `who waits for a sleeper that never comes ends when cancelled`(yields: Int) async {
    let clock = ManualClock()
    let waiting = Task { await clock.hasSleeper(until: .seconds(1)) }
    // It waits by then, in most cases.
    for _ in 0..<yields { await Task.yield() }
    waiting.cancel()
    await waiting.value
  }

  @Test func `who waits for a sleeper goes on once that is there, and so does the next`() async throws {
    let clock = ManualClock()
    let waiting = Task { await clock.hasSleeper(until: .seconds(1)) }
    let sleeping = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1)), tolerance: nil) }
    await waiting.value
    await clock.hasSleeper(until: .seconds(1))
    clock.advance(by: .seconds(1))
    try await sleeping.value
  }
}
