import BumpClaims
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  /// Money that its sender takes back before the claim expires.
  @Suite struct TakingBack {
    private let store: ClaimStore

    init() throws { store = try ClaimStore.inMemory() }

    private func funding(_ status: Funding.Status, receiver: String? = nil) -> Funding {
      Funding(
        vault: "https://v", ledgerID: "0x1", status: status, account: "0x2", receiver: receiver,
        receipt: status.isSettled ? "signed" : nil, updatedAt: 100)
    }

    private func note(_ funding: Funding, of claim: OutgoingClaim) async throws {
      #expect(try await store.note(funding, of: claim.claim, expiry: claim.expiry, .outgoing) == funding)
    }

    /// A claim whose money is locked. No receiver may take it any more at 1000.
    private func locked(_ state: HandoverState) async throws -> OutgoingClaim {
      let claim = try await create(store)
      let id = claim.claim.id
      try await note(funding(.pending), of: claim)
      switch state {
      case .new: break
      case .linkShown: _ = try await store.showLink(of: id, at: 1000)
      case .released, .unknown, .delivered, .lost:
        #expect(try await release(id, in: store, at: 900))
        try await store.record(state == .delivered ? .delivered : .unknown, of: id)
        if state == .lost { _ = try await store.settle(id, as: .lost, at: 1000) }
      }
      return try #require(try await store.outgoing(id, at: 1000))
    }

    private func begin(
      _ claim: OutgoingClaim, evenIfHandedOver: Bool = false, isLocked: Bool = false, at now: ClockReading = 1000
    ) async throws -> TakeBackResult {
      try await store.beginTakingBack(
        claim.claim.id, as: funding(.takingBack), evenIfHandedOver: evenIfHandedOver, isLocked: isLocked, at: now)
    }

    private func stored(_ claim: OutgoingClaim) async throws -> OutgoingClaim? {
      try await store.outgoing(claim.claim.id, at: 1000)
    }

    private func recorded(_ claim: OutgoingClaim) async throws -> Funding? {
      try await store.funding(of: claim.claim, .outgoing)
    }

    @Test func `a new claim is taken back without consent, and counts as one whose link was shown`() async throws {
      let claim = try await locked(.new)
      #expect(try await begin(claim) == .begun(funding(.takingBack)))
      #expect(try await stored(claim)?.state == .linkShown)
      #expect(try await recorded(claim) == funding(.takingBack))
      #expect(try await begin(claim) == .begun(funding(.takingBack)), "consent was not needed, and is not needed later")
    }

    @Test(arguments: [HandoverState.linkShown, .unknown, .delivered, .lost])
    func `a claim that somebody may have, or its link, is taken back with consent alone`(state: HandoverState)
      async throws
    {
      let claim = try await locked(state)
      #expect(try await begin(claim) == .handedOver(claim))
      #expect(try await stored(claim) == claim)
      #expect(try await recorded(claim) == funding(.pending))
      #expect(try await begin(claim, evenIfHandedOver: true) == .begun(funding(.takingBack)))
      #expect(try await stored(claim)?.state == (state == .lost ? .linkShown : state))
    }

    @Test func `while a receiver may still take a claim nobody takes it back, with consent or without`() async throws {
      let claim = try await locked(.new)
      #expect(try await release(claim.claim.id, in: store, at: 1000))
      for consent in [false, true] {
        guard case .handedOver(let present) = try await begin(claim, evenIfHandedOver: consent, at: 1009) else {
          Issue.record("it is not taken for handed over")
          return
        }
        #expect(present.isInFlight && present.state == .released)
      }
      #expect(try await recorded(claim) == funding(.pending))
      #expect(try await begin(claim, evenIfHandedOver: true, at: 1010) == .begun(funding(.takingBack)))
    }

    @Test(arguments: [HandoverState.new, .linkShown, .lost, .unknown], [false, true])
    func `a claim that is taken back is not released, has no link, and is not named as one to send or to settle`(
      state: HandoverState, isOver: Bool
    ) async throws {
      let claim = try await locked(state)
      #expect(try await begin(claim, evenIfHandedOver: true) == .begun(funding(.takingBack)))
      if isOver { try await note(funding(.claimed, receiver: "0x2"), of: claim) }
      let now = try #require(try await stored(claim))
      #expect(now.state == (state == .unknown ? .unknown : .linkShown))
      for expected in [HandoverState.new, .linkShown, .lost] {
        let released = try await store.release(
          claim.claim.id, to: DisplayName("carol"), from: expected, answerWithin: .seconds(5), at: { 1001 })
        #expect(released == .changedElsewhere(now.state), "\(expected)")
      }
      #expect(try await store.showLink(of: claim.claim.id, at: 1001) == .withheld(now))
      #expect(try await store.claimsWithLinks(limit: 9, at: 1001).isEmpty)
      #expect(try await store.undecided(at: 1001, limit: 9).isEmpty)
      #expect(try await stored(claim) == now)
    }

    @Test func `a claim that another was paid is not taken for one that its sender took back`() async throws {
      let claim = try await locked(.linkShown)
      try await note(funding(.claimed, receiver: "0x3"), of: claim)
      #expect(try await recorded(claim)?.isTakenBack == false)
      #expect(try await store.claimsWithLinks(limit: 9, at: 1001) == [claim])
      #expect(try await begin(claim) == .begun(funding(.claimed, receiver: "0x3")), "how it ended is known")
    }

    @Test(arguments: [Funding.Status.asked, .refused])
    func `money that is not known to be locked is not taken back`(status: Funding.Status) async throws {
      let claim = try await create(store)
      #expect(try await begin(claim) == .notLocked(nil))
      try await note(funding(status), of: claim)
      #expect(try await begin(claim) == .notLocked(funding(status)))
      #expect(try await stored(claim) == claim)
      #expect(try await recorded(claim) == funding(status))
    }

    @Test func `money that was asked for, and is locked on a chain, is taken back in one write`() async throws {
      let claim = try await create(store)
      try await note(funding(.asked), of: claim)
      // A receiver may still take it: then the record stays as it was, and is not called locked either.
      #expect(try await release(claim.claim.id, in: store, at: 1000))
      guard case .handedOver = try await begin(claim, isLocked: true, at: 1009) else {
        Issue.record("it is not taken for handed over")
        return
      }
      #expect(try await recorded(claim) == funding(.asked))
      #expect(
        try await begin(claim, evenIfHandedOver: true, isLocked: true, at: 1010) == .begun(funding(.takingBack)))
      #expect(try await recorded(claim) == funding(.takingBack))
    }

    @Test func `money that was refused is not taken back, whatever a chain says`() async throws {
      let claim = try await create(store)
      try await note(funding(.refused), of: claim)
      #expect(try await begin(claim, isLocked: true) == .notLocked(funding(.refused)))
      #expect(try await recorded(claim) == funding(.refused))
    }

    @Test func `a claim that is not here is not taken back`() async throws {
      let stranger = try StoreTests.claim()
      #expect(
        try await store.beginTakingBack(stranger.id, as: funding(.takingBack), evenIfHandedOver: true) == .missing)
    }
  }
}
