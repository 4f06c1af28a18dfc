import BumpClaims
import BumpWire
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  @Suite struct Incoming {
    @Test func `a claim is stored once, and is a duplicate from then on`() async throws {
      let store = try ClaimStore.inMemory()
      let claim = try claim()
      #expect(try await store.store(received(claim), at: 5) == .stored)
      #expect(try await store.store(received(claim), at: 6) == .duplicate)
      #expect(try await store.store(received(claim, from: "mallory"), at: 7) == .duplicate)
      #expect(try await store.store(received(claim, from: nil), at: 8) == .duplicate)
      let stored = try await store.incoming(claim.id)
      #expect(stored.map(\.claim) == [claim])
      #expect(stored.map(\.from?.text) == ["alice"])
      #expect(stored.map(\.receivedAt) == [5])
    }

    @Test func `a claim is taken back by its payload, and one that was sent from this store is not`() async throws {
      let store = try ClaimStore.inMemory()
      let (one, other) = (try claim(), try claim(secret: 8))
      for claim in [one, other] { _ = try await store.store(received(claim), at: 5) }
      #expect(try await store.remove(received(one)) == .removed)
      #expect(try await store.incoming(one.id).map(\.claim) == [other])
      let own = try await create(store).claim
      #expect(try await release(own.id, in: store, at: 1000))
      #expect(try await store.store(received(own), at: 1001) == .stored)
      #expect(try await store.remove(received(own)) == .sentFromHere)
      #expect(try await store.incoming(own.id).map(\.claim) == [own])
      #expect(try await store.outgoing(own.id, at: 1001)?.state == .delivered)
    }

    /// One id, and one thing about the claim that is another's.
    @Test(arguments: [("secret", UInt8(8), "1.00"), ("amount", 7, "1.01"), ("both", 8, "1.01")])
    func `another claim with the same id is stored beside it`(what: String, secret: UInt8, amount: String) async throws
    {
      let store = try ClaimStore.inMemory()
      let (one, other) = (try claim(), try claim(secret: secret, amount: amount))
      #expect(try await store.store(received(one), at: 5) == .stored)
      #expect(try await store.store(received(other), at: 6) == .storedBesideAnother)
      #expect(try await store.store(received(one), at: 7) == .duplicate)
      #expect(try await store.store(received(other), at: 8) == .duplicate)
      #expect(try await Set(store.incoming(one.id).map(\.claim)) == [one, other])
    }

    @Test func `the link of a claim that was made in this store is not taken, and that of a stranger's of its id is`()
      async throws
    {
      let store = try ClaimStore.inMemory()
      let own = try await create(store).claim
      let link = try received(own, from: nil)
      let error = await #expect(throws: StoreError.self) { try await store.store(link, at: 5) }
      #expect(error?.code == .ownClaim && error?.description.contains("made in this store") == true)
      #expect(try await store.incoming(own.id) == [])
      #expect(try await store.store(received(claim(id: own.id.description), from: nil), at: 5) == .stored)
    }

    @Test func `a claim comes to the store that it was sent from, and its link is already here then`() async throws {
      let store = try ClaimStore.inMemory()
      let own = try await create(store).claim
      #expect(try await release(own.id, in: store, at: 1000))
      #expect(try await store.store(received(own), at: 1001) == .stored)
      #expect(try await store.incoming(own.id).map(\.claim) == [own])
      #expect(try await store.store(received(own, from: nil), at: 1002) == .duplicate)
    }

    /// Its sender may be killed before it hears of it, or may have given up.
    @Test(arguments: [HandoverState.released, .unknown])
    func `a claim that has come to the store that it was sent from is delivered there, by the same write`(
      state: HandoverState
    ) async throws {
      let store = try ClaimStore.inMemory()
      let own = try await create(store).claim
      #expect(try await release(own.id, in: store, at: 1000))
      if state == .unknown { try await store.record(.unknown, of: own.id) }
      let junk = try claim(id: own.id.description)
      #expect(try await store.store(received(junk), at: 1001) == .stored)
      #expect(try await store.outgoing(own.id, at: 1001)?.state == state, "another claim of its id")
      #expect(try await store.store(received(own), at: 1002) == .storedBesideAnother)
      let sent = try await store.outgoing(own.id, at: 1002)
      #expect(sent?.state == .delivered && sent?.peer?.text == "bob" && sent?.isInFlight == false)
      try await store.record(.unknown, of: own.id)
      #expect(try await store.settle(own.id, as: .lost, at: 2000).claim?.canBeSettled(as: .lost) == false)
      #expect(try await store.outgoing(own.id, at: 2000)?.state == .delivered)
    }

    @Test func `a claim whose time is over once the store is free is not stored`() async throws {
      let store = try ClaimStore.inMemory()
      let verified = try received(claim())
      let error = await #expect(throws: StoreError.self) { try await store.store(verified, at: 5, if: { false }) }
      #expect(error?.description.contains("busy for so long") == true)
      #expect(try await store.incoming(claim().id) == [])
    }

    @Test func `junk under a claim's id does not keep the claim out`() async throws {
      let store = try ClaimStore.inMemory()
      for secret in UInt8(100)..<110 {
        _ = try await store.store(received(claim(secret: secret), from: "mallory"), at: 1)
      }
      let true_ = try claim()
      #expect(try await store.store(received(true_), at: 2) == .storedBesideAnother)
      #expect(try await store.incoming(true_.id).contains { $0.claim == true_ && $0.from?.text == "alice" })
    }

    @Test func `another id is another claim`() async throws {
      let store = try ClaimStore.inMemory()
      #expect(try await store.store(received(claim(id: "a")), at: 5) == .stored)
      #expect(try await store.store(received(claim(id: "A")), at: 5) == .stored)
    }

    @Test(arguments: ["", "\u{1B}[2J", "'; DROP TABLE incoming; --", "é\n", "\u{202E}"])
    func `a sender's name is kept as it came`(name: String) async throws {
      let store = try ClaimStore.inMemory()
      let claim = try claim()
      #expect(try await store.store(received(claim, from: name), at: 5) == .stored)
      #expect(try await store.incoming(claim.id).first?.from?.text == name)
    }
  }
}
