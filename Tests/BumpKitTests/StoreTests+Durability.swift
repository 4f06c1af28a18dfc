import BumpWire
import GRDB
import Testing

@testable import BumpKit

extension StoreTests {
  @Suite struct Durability {
    /// A setting of SQLite, as the connection that writes has it.
    @Test(arguments: [("synchronous", 2), ("secure_delete", 1), ("busy_timeout", 5000)])
    func `a write is on the disk when its call returns, and what is deleted is wiped`(pragma: String, value: Int)
      async throws
    {
      let place = try Place()
      let store = try await ClaimStore.open(at: place.path())
      #expect(try await store.write { try Int.fetchOne($0, sql: "PRAGMA \(pragma)") } == value)
    }

    @Test func `what was written is there for the next that opens`() async throws {
      let place = try Place()
      let outgoing = try await create(ClaimStore.open(at: place.path()))
      let incoming = try claim()
      _ = try await ClaimStore.open(at: place.path()).store(received(incoming), at: 5)
      #expect(try await ClaimStore.open(at: place.path()).release(outgoing.claim.id))

      let store = try #require(try await ClaimStore.openForReading(at: place.path()))
      #expect(try await store.outgoing(outgoing.claim.id)?.state == .released)
      #expect(try await store.outgoing(outgoing.claim.id)?.claim == outgoing.claim)
      #expect(try await store.incoming(incoming.id).map(\.claim) == [incoming])
    }

    @Test func `a write of a task that is cancelled ends all the same`() async throws {
      let store = try ClaimStore.inMemory()
      let claim = try claim()
      let id = try await create(store).claim.id
      let verified = try received(claim)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        #expect(Task.isCancelled)
        let status = try await store.store(verified, at: 5)
        let isReleased = try await store.release(id)
        try await store.record(.unknown, of: id)
        return (status, isReleased)
      }
      let (status, isReleased) = try await task.value
      #expect(status == .stored && isReleased)
      #expect(try await store.incoming(claim.id).map(\.claim) == [claim])
      #expect(try await store.outgoing(id)?.state == .unknown)
    }

    @Test func `a store that is opened for reading is not written`() async throws {
      let place = try Place()
      let claim = try await create(ClaimStore.open(at: place.path())).claim
      let store = try #require(try await ClaimStore.openForReading(at: place.path()))
      let error = await #expect(throws: StoreError.self) { try await store.release(claim.id) }
      #expect(error?.code == .failed)
      #expect(try await store.outgoing(claim.id)?.state == .new)
    }
  }
}
