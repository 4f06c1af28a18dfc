import BumpClaims
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  @Suite struct History {
    /// Sent at 10, 30 and 50, received at 20, 40 and 60.
    private func filled() async throws -> ClaimStore {
      let store = try ClaimStore.inMemory()
      for time in stride(from: Int64(50), through: 10, by: -20) { _ = try await create(store, at: time) }
      for time in stride(from: Int64(20), through: 60, by: 20) {
        _ = try await store.store(received(claim(id: "at\(time)")), at: time)
      }
      return store
    }

    @Test(arguments: [
      (1, [60]), (2, [60, 50]), (5, [60, 50, 40, 30, 20]), (6, [60, 50, 40, 30, 20, 10]),
      (1000, [60, 50, 40, 30, 20, 10]),
    ])
    func `the history is what was sent and received, the newest first`(limit: Int, times: [Int64]) async throws {
      #expect(try await filled().history(limit: limit).map(\.time) == times)
    }

    @Test func `of one second, what was written last comes first`() async throws {
      let store = try ClaimStore.inMemory()
      var ids: [ClaimID] = []
      for _ in 0..<5 { ids.append(try await create(store, at: 7).claim.id) }
      let listed = try await store.history(limit: 3).map { entry in
        if case .sent(let claim) = entry { claim.claim.id } else { nil as ClaimID? }
      }
      #expect(listed == ids.reversed().prefix(3).map(\.self))
    }

    @Test func `a claim that was sent and received in one second was received last`() async throws {
      let store = try ClaimStore.inMemory()
      let own = try await create(store, at: 7).claim
      _ = try await store.store(received(own), at: 7)
      let isReceived = try await store.history(limit: 2).map { if case .received = $0 { true } else { false } }
      #expect(isReceived == [true, false])
    }

    @Test func `a store with nothing in it has no history`() async throws {
      #expect(try await ClaimStore.inMemory().history(limit: 10) == [])
    }
  }
}
