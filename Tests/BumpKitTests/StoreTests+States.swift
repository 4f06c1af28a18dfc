import BumpWire
import GRDB
import Testing

@testable import BumpKit

extension StoreTests {
  @Suite struct States {
    @Test func `a claim of ours is new, and comes back as it was made`() async throws {
      let store = try ClaimStore.inMemory()
      let made = try await create(store)
      #expect(made.state == .new && made.peer == nil && made.createdAt == 100)
      #expect(try await store.outgoing(made.claim.id) == made)
    }

    @Test func `every claim has an id and a secret of its own`() async throws {
      let store = try ClaimStore.inMemory()
      let claims = [try await create(store), try await create(store)].map(\.claim)
      #expect(claims[0].id != claims[1].id && claims[0].secret != claims[1].secret)
      #expect(claims.allSatisfy { $0.id.description.utf8.count == 22 })
    }

    @Test func `a claim that is not here is none`() async throws {
      let store = try ClaimStore.inMemory()
      let id = try ClaimID("nowhere")
      #expect(try await store.outgoing(id) == nil)
      #expect(try await store.incoming(id) == [])
      #expect(try await !store.release(id))
    }

    /// What may be written over what; anything else leaves the claim as it stands.
    static let moves: [(ClaimState, ClaimState, ClaimState)] = [
      (.new, .new, .new), (.new, .released, .new), (.new, .delivered, .new), (.new, .unknown, .new),
      (.released, .new, .released), (.released, .released, .released), (.released, .delivered, .delivered),
      (.released, .unknown, .unknown), (.unknown, .new, .unknown), (.unknown, .released, .unknown),
      (.unknown, .unknown, .unknown), (.unknown, .delivered, .delivered), (.delivered, .new, .delivered),
      (.delivered, .released, .delivered), (.delivered, .unknown, .delivered), (.delivered, .delivered, .delivered),
    ]

    @Test(arguments: moves)
    func `a state only moves forward`(from: ClaimState, to: ClaimState, result: ClaimState) async throws {
      let store = try ClaimStore.inMemory()
      let id = try await create(store).claim.id
      if from != .new { #expect(try await store.release(id)) }
      if from == .delivered || from == .unknown { try await store.record(from, of: id) }
      #expect(try await store.outgoing(id)?.state == from)
      try await store.record(to, of: id)
      #expect(try await store.outgoing(id)?.state == result)
    }

    @Test(arguments: [ClaimState.released, .delivered, .unknown])
    func `a claim is released once, whatever became of it`(state: ClaimState) async throws {
      let store = try ClaimStore.inMemory()
      let id = try await create(store).claim.id
      #expect(try await store.release(id, to: DisplayName("bob")))
      if state != .released { try await store.record(state, of: id) }
      #expect(try await !store.release(id, to: DisplayName("carol")))
      #expect(try await !store.release(id))
      let claim = try await store.outgoing(id)
      #expect(claim?.state == state)
      #expect(claim?.peer?.text == "bob")
    }

    @Test func `one claim's state is not another's`() async throws {
      let store = try ClaimStore.inMemory()
      let (one, other) = (try await create(store).claim.id, try await create(store).claim.id)
      #expect(try await store.release(one))
      try await store.record(.delivered, of: one)
      #expect(try await store.outgoing(other)?.state == .new)
    }

    @Test func `undecided are the released and the unknown that can still be taken, the newest first`() async throws {
      let store = try ClaimStore.inMemory()
      var ids: [ClaimState: ClaimID] = [:]
      for (second, state) in ClaimState.allCases.enumerated() {
        let id = try await create(store, at: Int64(second)).claim.id
        if state != .new { _ = try await store.release(id) }
        if state == .delivered || state == .unknown { try await store.record(state, of: id) }
        ids[state] = id
      }
      let expected = [ids[.unknown], ids[.released]]
      #expect(try await store.undecided(at: 1_999_999_999).map(\.claim.id) == expected)
      #expect(try await store.undecided(at: 2_000_000_000) == [])
    }
  }
}
