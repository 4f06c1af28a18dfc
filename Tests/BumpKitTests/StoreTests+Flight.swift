import BumpWire
import Testing

@testable import BumpKit

extension StoreTests {
  /// Claims that a receiver may still take.
  @Suite struct Flight {
    /// Released at 1000, it may be taken until 1010.
    private func released(in store: ClaimStore) async throws -> ClaimID {
      let id = try await create(store).claim.id
      #expect(try await release(id, in: store, at: 1000))
      return id
    }

    /// Its process gave up, or was killed: that changes nothing of what the receiver may do.
    @Test(arguments: [ClaimState.released, .unknown])
    func `until its receiver can take it no more a claim has no link, is offered to nobody else and not settled`(
      state: ClaimState
    ) async throws {
      let store = try ClaimStore.inMemory()
      let id = try await released(in: store)
      try await store.record(state, of: id)
      let before = try #require(try await store.outgoing(id, at: 1009))
      #expect(before.state == state && before.deadline == 1010 && before.isInFlight)
      for verdict in [ClaimState.lost, .delivered] {
        #expect(try await store.settle(id, as: verdict, at: 1009)?.canBeSettled(as: verdict) == false)
      }
      #expect(try await store.showLink(of: id, at: 1009)?.isInFlight == true)
      #expect(try await store.offerAgain(id, at: 1009) == nil)
      #expect(try await store.outgoing(id, at: 1009) == before)

      let after = try #require(try await store.outgoing(id, at: 1010))
      #expect(after.state == .unknown && after.deadline == nil && !after.isInFlight)
      #expect(try await store.showLink(of: id, at: 1010)?.isInFlight == false)
      #expect(try await store.settle(id, as: .lost, at: 1010)?.canBeSettled(as: .lost) == true)
      #expect(try await store.offerAgain(id, at: 1010)?.state == .lost)
    }

    @Test func `an answer that comes after unknown was written down ends the flight`() async throws {
      let store = try ClaimStore.inMemory()
      let id = try await released(in: store)
      try await store.record(.unknown, of: id)
      try await store.record(.delivered, of: id)
      let claim = try await store.outgoing(id, at: 1005)
      #expect(claim?.state == .delivered && claim?.isInFlight == false)
      #expect(try await store.settle(id, as: .lost, at: 2000)?.canBeSettled(as: .lost) == false, "the receiver said so")
      #expect(try await store.outgoing(id, at: 2000)?.state == .delivered)
    }

    @Test(arguments: [ClaimState.new, .linkShown, .lost])
    func `a release after which nothing was sent is taken back, and the claim stands as before`(state: ClaimState)
      async throws
    {
      let store = try ClaimStore.inMemory()
      let id = try await create(store).claim.id
      if state == .linkShown { _ = try await store.showLink(of: id, at: 500) }
      if state == .lost {
        #expect(try await release(id, in: store, at: 500))
        _ = try await store.settle(id, as: .lost, at: 600)
      }
      let before = try #require(try await store.offerAgain(id, at: 1000))
      #expect(before.state == state)
      let carol = try DisplayName("carol")
      let deadline = try #require(
        try await store.release(id, to: carol, from: state, answerWithin: .seconds(5), at: { 1000 }))
      #expect(try await !store.takeBack(before, releasedUntil: deadline + 1), "another release")
      #expect(try await store.takeBack(before, releasedUntil: deadline))
      let after = try #require(try await store.outgoing(id, at: 1000))
      #expect(after.state == state && after.peer == before.peer && after.settledAt == before.settledAt)
      #expect(try await !store.takeBack(before, releasedUntil: deadline), "it is not released any more")
      #expect(try await release(id, to: carol, from: state, in: store, at: 1001))
      try await store.record(.unknown, of: id)
      #expect(try await !store.takeBack(before, releasedUntil: 1011), "something was sent")
    }

    @Test func `what its owner settled as delivered may be settled as lost`() async throws {
      let store = try ClaimStore.inMemory()
      let id = try await released(in: store)
      _ = try await store.settle(id, as: .delivered, at: 1010)
      #expect(try await store.outgoing(id, at: 1011)?.settledAt == 1010)
      #expect(try await store.settle(id, as: .lost, at: 1020)?.canBeSettled(as: .lost) == true)
      let lost = try await store.outgoing(id, at: 1020)
      #expect(lost?.state == .lost && lost?.settledAt == 1020)
      _ = try await store.showLink(of: id, at: 1030)
      #expect(try await store.outgoing(id, at: 1030)?.settledAt == nil, "it stands by more than its owner's word")
    }

    @Test func `the draws of one value are one bump's, whoever holds a copy`() async throws {
      let store = try ClaimStore.inMemory()
      let made = try await store.create(
        amount: Amount("1.00"), token: .usdc, expiry: #require(later), at: 100, reserving: OutgoingClaim.draws)
      #expect(try await store.takeReservation(of: made))
      #expect(try await !store.takeReservation(of: made))
      try await store.record(nil, of: made.claim.id, unusedDraws: 1)
      let again = try #require(try await store.offerAgain(made.claim.id))
      let overtaking = try #require(try await store.offerAgain(made.claim.id))
      #expect(again.reservedDraws == 1 && overtaking.reservedDraws == 0)
      #expect(try await !store.takeReservation(of: again), "another has asked for it since")
      #expect(try await store.takeReservation(of: overtaking))
    }
  }
}
