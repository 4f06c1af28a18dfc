import Synchronization
import Testing

@testable import BumpSharedCards

/// Expired cards go at the start, and every hour.
@Suite struct CardUpkeepTests {
  /// Tells how long is slept, and ends after so many sleeps.
  private final class Hours: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant
    private let state: Mutex<(left: Int, slept: [Duration])>
    private let start = ContinuousClock.now

    init(_ count: Int) { state = Mutex((count, [])) }

    var slept: [Duration] { state.withLock { $0.slept } }
    var now: Instant { start }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try state.withLock { state in
        guard state.left > 0 else { throw CancellationError() }
        state.left -= 1
        state.slept.append(start.duration(to: deadline))
      }
    }
  }

  private final class Counted: SharedCardStore {
    private let calls = Mutex<[Int64]>([])
    var times: [Int64] { calls.withLock { $0 } }
    func put(_ card: SharedCard) async throws(SharedCardError) {}
    func card(_ id: SharedCardID, at now: Int64) async throws(SharedCardError) -> SharedCard {
      throw SharedCardError(.absent)
    }
    func removeExpired(at now: Int64) async throws(SharedCardError) -> Int {
      calls.withLock { $0.append(now) }
      guard times.count != 2 else { throw SharedCardError(.store, "the disk is gone") }
      return times.count
    }
  }

  @Test func `a clean-up comes at once and every hour, also behind one that failed`() async {
    let (store, clock) = (Counted(), Hours(2))
    let told = Mutex<[Int?]>([])
    await CardUpkeep(of: store) { 7 }.run(on: clock) { result in
      told.withLock { $0.append(try? result.get()) }
    }
    #expect(store.times == [7, 7, 7] && clock.slept == [.seconds(3600), .seconds(3600)])
    #expect(told.withLock { $0 } == [1, nil, 3])
  }
}
