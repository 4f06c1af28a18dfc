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

  /// A store that takes cards, and cannot remove any.
  private final class Uncleaned: SharedCardStore {
    private let cards = Mutex<[SharedCardID]>([])
    let isFull: Bool
    init(isFull: Bool) { self.isFull = isFull }
    var ids: [SharedCardID] { cards.withLock { $0 } }
    func put(_ card: SharedCard) async throws(SharedCardError) {
      if isFull { throw SharedCardError(.store, "the disk is full") }
      cards.withLock { $0.append(card.id) }
    }
    func card(_ id: SharedCardID, at now: Int64) async throws(SharedCardError) -> SharedCard {
      throw SharedCardError(.absent)
    }
    func removeExpired(at now: Int64) async throws(SharedCardError) -> Int {
      throw SharedCardError(.store, "the directory cannot be listed")
    }
  }

  @Test func `a card is shared though what has expired cannot be removed, which is said`() async throws {
    let card = try SharedCard(
      sealing: SharedCardTests.vcard, as: SharedCardTests.id(1), with: SharedCardKey(), at: SharedCardTests.now)
    let store = Uncleaned(isFull: false)
    let failure = try await store.share(card, at: SharedCardTests.now)
    #expect(failure?.reason == "the directory cannot be listed" && store.ids == [card.id])
    let full = Uncleaned(isFull: true)
    let error = await #expect(throws: SharedCardError.self) { try await full.share(card, at: SharedCardTests.now) }
    #expect(error?.reason == "the disk is full")
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
