import BumpClaims
import Samples
import Testing

@testable import BumpStore

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
    @Test(arguments: [HandoverState.released, .unknown])
    func `until its receiver can take it no more a claim has no link, is offered to nobody else and not settled`(
      state: HandoverState
    ) async throws {
      let store = try ClaimStore.inMemory()
      let id = try await released(in: store)
      try await store.record(state, of: id)
      let before = try #require(try await store.outgoing(id, at: 1009))
      #expect(before.state == state && before.deadline == 1010 && before.isInFlight)
      for verdict in [HandoverState.lost, .delivered] {
        #expect(try await store.settle(id, as: verdict, at: 1009).claim?.canBeSettled(as: verdict) == false)
      }
      #expect(try await store.showLink(of: id, at: 1009).claim?.isInFlight == true)
      #expect(try await store.offerable(id, at: 1009) == nil)
      #expect(try await store.outgoing(id, at: 1009) == before)

      let after = try #require(try await store.outgoing(id, at: 1010))
      #expect(after.state == .unknown && after.deadline == nil && !after.isInFlight)
      #expect(try await store.showLink(of: id, at: 1010).claim?.isInFlight == false)
      #expect(try await store.settle(id, as: .lost, at: 1010).claim?.canBeSettled(as: .lost) == true)
      #expect(try await store.offerable(id, at: 1010)?.state == .lost)
    }

    @Test func `an answer that comes after unknown was written down ends the flight`() async throws {
      let store = try ClaimStore.inMemory()
      let id = try await released(in: store)
      try await store.record(.unknown, of: id)
      try await store.record(.delivered, of: id)
      let claim = try await store.outgoing(id, at: 1005)
      #expect(claim?.state == .delivered && claim?.isInFlight == false)
      #expect(
        try await store.settle(id, as: .lost, at: 2000).claim?.canBeSettled(as: .lost) == false, "the receiver said so")
      #expect(try await store.outgoing(id, at: 2000)?.state == .delivered)
    }

    /// What may be done with a claim once its receiver's time is up.
    enum Meanwhile: CaseIterable {
      case nothing, linked, settledAsDelivered, settledAsLost, lostAndLinked, lostAndSent, lostAndUnknown,
        lostAndDelivered
    }

    /// Released to bob, who answers at 3000, and by then perhaps to carol.
    private func claim(_ meanwhile: Meanwhile, in store: ClaimStore) async throws -> ClaimID {
      let id = try await released(in: store)
      switch meanwhile {
      case .nothing: return id
      case .linked: #expect(try await store.showLink(of: id, at: 2000).claim?.state == .unknown)
      case .settledAsDelivered: _ = try await store.settle(id, as: .delivered, at: 2000)
      default: _ = try await store.settle(id, as: .lost, at: 2000)
      }
      switch meanwhile {
      case .lostAndLinked: _ = try await store.showLink(of: id, at: 2000)
      case .lostAndSent, .lostAndUnknown, .lostAndDelivered:
        #expect(try await release(id, to: DisplayName("carol"), from: .lost, in: store, at: 2995))
        if meanwhile == .lostAndUnknown { try await store.record(.unknown, of: id) }
        if meanwhile == .lostAndDelivered { try await store.record(.delivered, of: id) }
      default: break
      }
      return id
    }

    @Test(arguments: Meanwhile.allCases)
    func `a receiver's answer holds over all that was written since, and it is told who else may have the claim`(
      meanwhile: Meanwhile
    ) async throws {
      let store = try ClaimStore.inMemory()
      let (bob, carol) = (try DisplayName("bob"), try DisplayName("carol"))
      let id = try await claim(meanwhile, in: store)
      let before = try await store.record(.delivered, of: id, after: .init(peer: bob, deadline: 1010), at: 3000)
      let told: (HandoverState, DisplayName?)? =
        switch meanwhile {
        case .nothing, .linked: (.unknown, nil)
        case .settledAsDelivered: nil
        case .settledAsLost: (.lost, nil)
        case .lostAndLinked: (.linkShown, nil)
        case .lostAndSent: (.released, carol)
        case .lostAndUnknown: (.unknown, carol)
        case .lostAndDelivered: (.delivered, carol)
        }
      #expect(before?.state == told?.0 && before?.otherPeer == told?.1)
      let after = try #require(try await store.outgoing(id, at: 3000))
      #expect(after.state == .delivered && after.settledAt == nil && !after.isInFlight)
      #expect(after.peer == (meanwhile == .lostAndDelivered ? carol : bob))
      #expect(!after.canBeSettled(as: .lost))
      // Carol's send goes on, and changes nothing of that.
      let hers = ClaimStore.Release(peer: carol, deadline: 3005)
      try await store.record(.unknown, of: id, after: hers, at: 3001)
      #expect(try await store.outgoing(id, at: 3001) == after)
      guard meanwhile == .lostAndSent else { return }
      let second = try await store.record(.delivered, of: id, after: hers, at: 3001)
      #expect(second?.state == .delivered && second?.otherPeer == bob)
    }

    @Test func `an answer in time is told of no more than that it came`() async throws {
      let store = try ClaimStore.inMemory()
      let bob = try DisplayName("bob")
      for state in [HandoverState.released, .unknown] {
        let id = try await released(in: store)
        try await store.record(state, of: id)
        #expect(try await store.record(.delivered, of: id, after: .init(peer: bob, deadline: 1010), at: 1009) == nil)
      }
    }

    @Test func `a send that stood still does not call unknown what is on its way to somebody else by now`() async throws
    {
      let store = try ClaimStore.inMemory()
      let id = try await claim(.lostAndSent, in: store)
      try await store.record(.unknown, of: id, after: .init(peer: DisplayName("bob"), deadline: 1010), at: 2996)
      #expect(try await store.outgoing(id, at: 2996)?.state == .released)
    }

    @Test(arguments: [HandoverState.new, .linkShown, .lost])
    func `a release after which nothing was sent is taken back, and the claim stands as before`(state: HandoverState)
      async throws
    {
      let store = try ClaimStore.inMemory()
      let id = try await create(store).claim.id
      if state == .linkShown { _ = try await store.showLink(of: id, at: 500) }
      if state == .lost {
        #expect(try await release(id, in: store, at: 500))
        _ = try await store.settle(id, as: .lost, at: 600)
      }
      let before = try #require(try await store.offerable(id, at: 1000))
      #expect(before.state == state)
      let carol = try DisplayName("carol")
      let deadline = try #require(
        try await store.release(id, to: carol, from: state, answerWithin: .seconds(5), at: { 1000 }).deadline)
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
      #expect(try await store.settle(id, as: .lost, at: 1020).claim?.canBeSettled(as: .lost) == true)
      let lost = try await store.outgoing(id, at: 1020)
      #expect(lost?.state == .lost && lost?.settledAt == 1020)
      _ = try await store.showLink(of: id, at: 1030)
      #expect(try await store.outgoing(id, at: 1030)?.settledAt == nil, "it stands by more than its owner's word")
    }
  }
}
