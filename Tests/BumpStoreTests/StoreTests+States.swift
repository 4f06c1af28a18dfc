import BumpClaims
import GRDB
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  @Suite struct States {
    /// A claim made at 100, brought to a state: one that is released was so at 1000, and may be taken until 1010; one that
    /// no receiver can take any more was so at 900.
    private func claim(_ state: HandoverState, in store: ClaimStore) async throws -> ClaimID {
      let id = try await create(store).claim.id
      switch state {
      case .new: break
      case .linkShown: _ = try await store.showLink(of: id, at: 1000)
      case .released, .unknown, .delivered, .lost:
        #expect(try await release(id, in: store, at: state == .released ? 1000 : 900))
        if state != .released { try await store.record(state == .lost ? .unknown : state, of: id) }
        if state == .lost { _ = try await store.settle(id, as: .lost, at: 1000) }
      }
      #expect(try await store.outgoing(id, at: 1000)?.state == state)
      return id
    }

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
      #expect(try await store.showLink(of: id) == .missing)
      #expect(try await store.settle(id, as: .delivered) == .missing)
      #expect(try await store.offerable(id) == nil)
      #expect(try await store.release(id, to: DisplayName("bob"), answerWithin: .zero) == .missing)
    }

    @Test(arguments: [0, 300] as [Int64])
    func `a claim that has expired, or has less time left than it is to have, is not released`(margin: Int64)
      async throws
    {
      let store = try ClaimStore.inMemory()
      let id = try await create(store).claim.id
      let end = try #require(later).unixSeconds - margin
      for moment in [end, end + 1] {
        let result = try await store.release(
          id, to: DisplayName("bob"), answerWithin: .seconds(5), leaving: margin, at: { ClockReading(unix: moment) })
        #expect(result == .expired)
      }
      #expect(try await store.outgoing(id, at: ClockReading(unix: end))?.state == .new)
      let result = try await store.release(
        id, to: DisplayName("bob"), answerWithin: .seconds(5), leaving: margin, at: { ClockReading(unix: end - 1) })
      #expect(result.deadline != nil)
    }

    /// What a bump may write over what; anything else leaves the claim as it stands.
    @Test(arguments: HandoverState.allCases, HandoverState.allCases)
    func `a receiver's word is written over whatever stands, and unknown over its release alone`(
      from: HandoverState, to: HandoverState
    ) async throws {
      let store = try ClaimStore.inMemory()
      let id = try await claim(from, in: store)
      let release = ClaimStore.Release(peer: try DisplayName("bob"), deadline: from == .released ? 1010 : 910)
      try await store.record(to, of: id, after: release, at: 1000)
      let isWritten = to == .delivered || (to == .unknown && from == .released)
      #expect(try await store.outgoing(id, at: 1000)?.state == (isWritten ? to : from))
    }

    @Test(arguments: HandoverState.allCases, HandoverState.allCases)
    func `a claim is released once, from the state that its bump began with`(
      state: HandoverState, expected: HandoverState
    )
      async throws
    {
      let store = try ClaimStore.inMemory()
      let id = try await claim(state, in: store)
      let carol = try DisplayName("carol")
      let mayBe = state == expected && [.new, .linkShown, .lost].contains(state)
      #expect(try await release(id, to: carol, from: expected, in: store, at: 1001) == mayBe)
      let after = try await store.outgoing(id, at: 1001)
      #expect(after?.state == (mayBe ? .released : state))
      let again = try await store.release(id, to: carol, from: expected, answerWithin: .seconds(5), at: { 1001 })
      #expect(again == .changedElsewhere(mayBe ? .released : state))
      if mayBe { #expect(after?.peer == carol && after?.deadline == 1011) }
      #expect(try await !release(id, to: carol, from: expected, in: store, at: 1001) || !mayBe)
    }

    /// 5 s and a margin of 5 s after 1000.
    @Test(arguments: [
      (ClockReading(1000), HandoverState.released), (1009, .released), (1010, .unknown), (900_000, .unknown),
    ])
    func `a released claim is unknown once its receiver's time is up, whoever recorded that`(
      now: ClockReading, state: HandoverState
    ) async throws {
      let store = try ClaimStore.inMemory()
      let id = try await claim(.released, in: store)
      #expect(try await store.outgoing(id, at: now)?.state == state)
      guard case .sent(let listed)? = try await store.history(limit: 1, at: now).first else { throw NotThere() }
      #expect(listed.state == state)
      #expect(try await store.undecided(at: now, limit: 9).count == (state == .unknown ? 1 : 0))
    }

    private func expectInFlight(_ id: ClaimID, in store: ClaimStore, at now: ClockReading) async throws {
      #expect(try await store.outgoing(id, at: now)?.state == .released)
      #expect(try await store.undecided(at: now, limit: 9).isEmpty)
      guard case .refused = try await store.settle(id, as: .lost, at: now),
        case .withheld = try await store.showLink(of: id, at: now)
      else { throw NotThere() }
      #expect(try await store.offerable(id, at: now) == nil)
    }

    /// By a minute, an hour as where the hardware's clock runs by local time, from or to 1970 as where it has no battery.
    @Test(arguments: [-1_900_000_000, -50_000, -3700, -60, 60, 120, 3700, 1_900_000_000])
    func `where the clock is set nobody else gets a claim that is in flight`(jump: Int64) async throws {
      let (store, set, boot) = (try ClaimStore.inMemory(), Int64(1_900_000_000), "this boot")
      let id = try await create(store).claim.id
      #expect(try await release(id, in: store, at: ClockReading(unix: set, sinceBoot: 1000, bootID: boot)))
      let nine = ClockReading(unix: set + 9 + jump, sinceBoot: 1009, bootID: boot)
      try await expectInFlight(id, in: store, at: nine)
      #expect(try await store.outgoing(id, at: nine)?.deadline == (jump < 0 ? set + 10 : nine.unix + 1))
      let ten = ClockReading(unix: set + 10 + max(0, jump), sinceBoot: 1010, bootID: boot)
      #expect(try await store.outgoing(id, at: ten)?.state == .unknown)
    }

    /// How long the machine was off is not known, nor which boot it is where its id cannot be read.
    @Test(arguments: ["another boot", nil])
    func `after a boot nobody else gets a claim that was in flight for its full time once more`(boot: String?)
      async throws
    {
      let store = try ClaimStore.inMemory()
      let id = try await create(store).claim.id
      let before = boot.map { _ in "this boot" }
      #expect(try await release(id, in: store, at: ClockReading(unix: 1000, sinceBoot: 5000, bootID: before)))
      let after = ClockReading(unix: 90_000, sinceBoot: 9, bootID: boot)
      try await expectInFlight(id, in: store, at: after)
      #expect(try await store.outgoing(id, at: after)?.deadline == 90_001)
      let over = ClockReading(unix: 90_001, sinceBoot: 10, bootID: boot)
      #expect(try await store.settle(id, as: .lost, at: over).claim?.state == .unknown)
    }

    /// Some containers have an id for each of their starts, while their clock is the machine's and goes on.
    @Test func `where the boot's id is another and its clock goes on, a claim is in flight as before`() async throws {
      let store = try ClaimStore.inMemory()
      let id = try await create(store).claim.id
      #expect(try await release(id, in: store, at: ClockReading(unix: 1000, sinceBoot: 5000, bootID: "a boot")))
      try await expectInFlight(id, in: store, at: ClockReading(unix: 9000, sinceBoot: 5009, bootID: "another"))
      let over = ClockReading(unix: 9001, sinceBoot: 5010, bootID: "another")
      #expect(try await store.outgoing(id, at: over)?.state == .unknown)
    }

    /// Whole seconds are rounded up, and a margin of five added.
    @Test(arguments: [
      (Duration.seconds(5), Int64(10)), (.milliseconds(5001), 11), (.milliseconds(1), 6), (.zero, 5),
      (.seconds(3600), 3605), (.seconds(9000), 3605),
    ])
    func `the deadline is what is waited for, rounded up, with a margin`(limit: Duration, seconds: Int64) async throws {
      let store = try ClaimStore.inMemory()
      let id = try await create(store).claim.id
      #expect(
        try await store.release(id, to: DisplayName("bob"), answerWithin: limit, at: { 1000 })
          == .released(until: 1000 + seconds))
      #expect(try await store.outgoing(id, at: 1000)?.deadline == 1000 + seconds)
    }

    @Test(arguments: HandoverState.allCases)
    func `a link is shown of what nobody may be answering for, and unknown stays unknown`(state: HandoverState)
      async throws
    {
      let store = try ClaimStore.inMemory()
      let id = try await claim(state, in: store)
      #expect(try await store.showLink(of: id, at: 1009).claim?.state == state)
      let isShown = [.new, .linkShown, .lost].contains(state)
      #expect(try await store.outgoing(id, at: 1009)?.state == (isShown ? .linkShown : state))
    }

    @Test func `a claim whose receiver's time is up has a link again, as unknown`() async throws {
      let store = try ClaimStore.inMemory()
      let id = try await claim(.released, in: store)
      #expect(try await store.showLink(of: id, at: 1009).claim?.state == .released)
      #expect(try await store.showLink(of: id, at: 1010).claim?.state == .unknown)
      // Also where the clock is set back after that: only the seconds are looked at.
      #expect(try await store.showLink(of: id, at: 1009).claim?.state == .released)
    }

    @Test(arguments: HandoverState.allCases, [HandoverState.delivered, .lost])
    func `an unknown claim is settled by its owner, and no other but as delivered`(
      from: HandoverState, to: HandoverState
    )
      async throws
    {
      let store = try ClaimStore.inMemory()
      let id = try await claim(from, in: store)
      let isSettled = from == .unknown || (to == .delivered && (from == .linkShown || from == .lost))
      #expect(try await store.settle(id, as: to, at: 1009).claim?.canBeSettled(as: to) == isSettled)
      #expect(try await store.outgoing(id, at: 1009)?.state == (isSettled ? to : from))
    }

    @Test(arguments: HandoverState.allCases)
    func `a claim is offered again where nobody may have it but by its link`(state: HandoverState) async throws {
      let store = try ClaimStore.inMemory()
      let id = try await claim(state, in: store)
      let again = try await store.offerable(id, at: 1009)
      #expect(again?.state == ([.new, .linkShown, .lost].contains(state) ? state : nil))
      #expect(try await store.outgoing(id, at: 1009)?.state == state)
    }

    @Test func `a claim's attempts at the digits are one bump's, until it gives back those that it has not used`()
      async throws
    {
      let store = try ClaimStore.inMemory()
      let (id, other) = (try await create(store).claim.id, try await create(store).claim.id)
      #expect(try await !store.hasNoAttempts(of: id))
      #expect(try await store.reserveAttempts(of: id) == 3)
      // A crash gives none back, and another bump that runs meanwhile has none.
      #expect(try await store.reserveAttempts(of: id) == 0)
      #expect(try await store.hasNoAttempts(of: id))
      #expect(try await !store.hasNoAttempts(of: other))
      try await store.record(nil, of: id, unusedAttempts: 2)
      #expect(try await !store.hasNoAttempts(of: id))
      #expect(try await store.reserveAttempts(of: id) == 2)
      #expect(try await store.reserveAttempts(of: id) == 0)
      try await store.record(nil, of: id, unusedAttempts: 1)
      #expect(try await store.reserveAttempts(of: id) == 1)
      // What was never reserved cannot be given back.
      try await store.record(nil, of: id, unusedAttempts: 9)
      #expect(try await store.reserveAttempts(of: id) == 3)
      #expect(try await store.reserveAttempts(of: other) == 3)
      #expect(try await store.reserveAttempts(of: ClaimID("nowhere")) == 0)
    }

    @Test func `attempts are given back in the write that records the end`() async throws {
      let store = try ClaimStore.inMemory()
      let id = try await create(store).claim.id
      #expect(try await store.reserveAttempts(of: id) == 3)
      #expect(try await release(id, in: store, at: 1000))
      try await store.record(.unknown, of: id, unusedAttempts: 2)
      #expect(try await store.settle(id, as: .lost, at: 1010).claim?.state == .unknown)
      #expect(try await store.reserveAttempts(of: id) == 2)
    }

    @Test func `one claim's state is not another's`() async throws {
      let store = try ClaimStore.inMemory()
      let (one, other) = (try await create(store).claim.id, try await create(store).claim.id)
      #expect(try await release(one, in: store))
      try await store.record(.delivered, of: one)
      #expect(try await store.outgoing(other)?.state == .new)
    }

    @Test func `undecided is what is unknown and can still be taken, that with the most time first`() async throws {
      let store = try ClaimStore.inMemory()
      for state in HandoverState.allCases { _ = try await claim(state, in: store) }
      #expect(try await store.undecided(at: 1009, limit: 9).map(\.state) == [.unknown])
      #expect(try await store.undecided(at: 1_999_999_999, limit: 9).map(\.state) == [.unknown, .unknown])
      #expect(try await store.undecided(at: 2_000_000_000, limit: 9) == [])
      let short = try await store.create(
        amount: Amount("1.00"), token: .usdc, expiry: #require(Expiry(unixSeconds: 2000)))
      #expect(try await release(short.claim.id, in: store, at: 1000))
      let listed = try await store.undecided(at: 1500, limit: 9)
      #expect(listed.count == 3 && listed.last?.claim.id == short.claim.id)
      #expect(try await store.undecided(at: 1500, limit: 2).count == 2)
    }

    private struct NotThere: Error {}
  }
}
