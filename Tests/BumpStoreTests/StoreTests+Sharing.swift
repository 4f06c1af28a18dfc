import BumpClaims
import BumpWire
import Foundation
import GRDB
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  /// Several stores on one file are what several processes have: SQLite's locks make no difference.
  @Suite struct Sharing {
    @Test func `of many who release a claim at once exactly one does`() async throws {
      let place = try TemporaryDirectory.inMemory()
      let first = try await ClaimStore.open(at: place.store)
      var stores = [first]
      for _ in 0..<7 { stores.append(try await ClaimStore.open(at: place.store)) }
      for _ in 0..<10 {
        let id = try await create(first).claim.id
        let winners = try await withThrowingTaskGroup(of: DisplayName?.self) { group in
          for (index, store) in stores.enumerated() {
            group.addTask {
              let name = try DisplayName("receiver \(index)")
              return try await release(id, to: name, in: store) ? name : nil
            }
          }
          return try await group.reduce(into: [DisplayName]()) { winners, name in name.map { winners.append($0) } }
        }
        #expect(winners.count == 1)
        #expect(try await first.outgoing(id)?.peer == winners.first)
      }
    }

    @Test func `of many who store a claim at once exactly one finds it new`() async throws {
      let place = try TemporaryDirectory.inMemory()
      let verified = try received(claim())
      let results = try await withThrowingTaskGroup(of: StoreResult.self) { group in
        for second in 0..<6 {
          group.addTask { try await ClaimStore.open(at: place.store).store(verified, at: Int64(second)) }
        }
        return try await group.reduce(into: [StoreResult]()) { $0.append($1) }
      }
      #expect(results.count { $0 == .stored } == 1)
      #expect(results.count { $0 == .duplicate } == 5)
    }

    @Test func `many may make the same store at once`() async throws {
      for _ in 0..<5 {
        let place = try TemporaryDirectory.inMemory()
        let ids = try await withThrowingTaskGroup(of: ClaimID.self) { group in
          for _ in 0..<6 {
            group.addTask { try await create(ClaimStore.open(at: place.path("new/bump.sqlite"))).claim.id }
          }
          return try await group.reduce(into: Set<ClaimID>()) { $0.insert($1) }
        }
        let history = try await ClaimStore.open(at: place.path("new/bump.sqlite")).history(limit: 100)
        #expect(ids.count == 6 && history.count == 6)
      }
    }

    @Test func `one who finds the store locked waits, and then sees what the other did`() async throws {
      let place = try TemporaryDirectory()
      let store = try await ClaimStore.open(at: place.store)
      let id = try await create(store).claim.id
      let other = try DatabaseQueue(path: place.store)
      let (isHeld, hold) = AsyncStream<Void>.makeStream()
      let letGo = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        #expect(throws: Never.self) {
          try other.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE; UPDATE outgoing SET state = 'unknown', peer = 'carol'")
            hold.finish()
            letGo.wait()
            try database.execute(sql: "COMMIT")
          }
        }
      }
      for await _ in isHeld {}
      async let isReleased = release(id, in: store)
      // SQLite tells nobody that somebody waits for it. However late that begins, the outcome is the same.
      try await Task.sleep(for: .milliseconds(300))
      letGo.signal()
      #expect(try await !isReleased)
      #expect(try await store.outgoing(id)?.peer?.text == "carol")
    }
  }
}
