import BumpClaims
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  /// Money on a chain, which may undo what it has confirmed.
  @Suite struct Levels {
    private let place: TemporaryDirectory
    private let store: ClaimStore
    private let claim: Claim
    private let expiry: Expiry

    init() async throws {
      place = try TemporaryDirectory()
      store = try await ClaimStore.open(at: place.store)
      claim = try StoreTests.claim(id: "chained")
      expiry = try #require(later)
    }

    private func funding(
      _ status: Funding.Status, _ level: Funding.Level? = nil, vault: String = "https://v", to receiver: String = "0x9"
    ) -> Funding {
      Funding(
        vault: vault, ledgerID: "0x1", status: status, account: "0x2", receiver: receiver,
        receipt: status.isSettled ? "signed" : nil, level: level, updatedAt: 100)
    }

    private func note(_ funding: Funding, _ direction: ClaimStore.Direction) async throws -> Funding {
      try await store.note(funding, of: claim, expiry: expiry, direction)
    }

    @Test(arguments: [ClaimStore.Direction.incoming, .outgoing])
    func `a confirmed payment becomes final, another one, or none, and a final one nothing`(
      direction: ClaimStore.Direction
    ) async throws {
      let steps = [
        funding(.pending), funding(.claimed, .confirmed), funding(.claimed, .confirmed, to: "0x8"),
        funding(.pending, .undone), funding(.refunded, .confirmed), funding(.claimed, .finalized),
      ]
      for step in steps { #expect(try await note(step, direction) == step) }
      for next in steps { #expect(try await note(next, direction) == steps.last) }
    }

    @Test(arguments: [ClaimStore.Direction.incoming, .outgoing])
    func `a confirmed payment is not forgotten by a word without a level, a request or another vault`(
      direction: ClaimStore.Direction
    ) async throws {
      let confirmed = funding(.claimed, .confirmed)
      _ = try await note(funding(.pending), direction)
      _ = try await note(confirmed, direction)
      let others = [
        funding(.pending), funding(.refused), funding(.asked, .undone), funding(.pending, .undone, vault: "https://w"),
        funding(.claimed, .finalized, vault: "https://w"),
      ]
      for other in others { #expect(try await note(other, direction) == confirmed) }
    }

    @Test func `a claim whose taking back is undone is being taken back, and is not handed over`() async throws {
      _ = try await note(funding(.pending), .outgoing)
      _ = try await note(funding(.takingBack), .outgoing)
      let back = funding(.claimed, .confirmed, to: "0x2")
      #expect(try await note(back, .outgoing) == back)
      #expect(back.isTakenBack && back.forbidsHandover && !back.isFinal)
      #expect(try await note(funding(.pending, .undone), .outgoing) == back)
      let again = funding(.takingBack, .undone)
      #expect(try await note(again, .outgoing) == again)
      #expect(again.forbidsHandover)
    }

    @Test func `a claim whose payment may be undone is asked about until it is final`() async throws {
      let made = try await store.create(amount: claim.amount, token: .usdc, expiry: expiry, at: 100) { _ in
        funding(.pending)
      }
      func unfinished() async throws -> Int { try await store.unfinished(limit: 10).count }
      let level: [(Funding, Int)] = [(funding(.claimed, .confirmed), 1), (funding(.claimed, .finalized), 0)]
      for (record, count) in level {
        _ = try await store.note(record, of: made.claim, expiry: expiry, .outgoing)
        #expect(try await unfinished() == count)
      }
    }
  }
}
