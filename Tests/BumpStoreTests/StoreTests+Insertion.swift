import BumpClaims
import GRDB
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  /// Claims that were issued elsewhere.
  @Suite struct Insertion {
    private let place: TemporaryDirectory
    private let store: ClaimStore
    private let claim: Claim
    private let expiry: Expiry

    init() async throws {
      place = try TemporaryDirectory()
      store = try await ClaimStore.open(at: place.store)
      claim = try StoreTests.claim(id: "issued")
      expiry = try #require(later)
    }

    @Test func `a claim that was issued elsewhere is new here, on the disk, and is sent as any other`() async throws {
      guard case .inserted(let inserted) = try await store.insert(claim, expiry: expiry, at: 100) else {
        Issue.record("not inserted")
        return
      }
      #expect(inserted.claim == claim && inserted.expiry == expiry && inserted.state == .new)
      #expect(inserted.createdAt == 100 && inserted.peer == nil)
      // As another process finds it.
      let file = try #require(try await ClaimStore.openForReading(at: place.store))
      #expect(try await file.outgoing(claim.id) == inserted)
      #expect(try await release(claim.id, in: store, at: 1000))
    }

    @Test func `the very claim again changes nothing, and says how far it is handed over`() async throws {
      _ = try await store.insert(claim, expiry: expiry, at: 100)
      #expect(try await release(claim.id, in: store, at: 1000))
      let released = try #require(try await store.outgoing(claim.id, at: 1001))
      #expect(released.state == .released)
      #expect(try await store.insert(claim, expiry: expiry, at: 1001) == .repeated(released))
      #expect(try await store.outgoing(claim.id, at: 1001) == released)
    }

    @Test(arguments: ["secret", "token", "amount", "expiry"])
    func `a claim with the id of one of ours and other terms is refused`(term: String) async throws {
      let token = term == "token" ? try Token("EURC") : claim.token
      let other = Claim(
        id: claim.id, secret: try ClaimSecret([UInt8](repeating: term == "secret" ? 8 : 7, count: 16)), token: token,
        amount: try Amount(term == "amount" ? "1.01" : "1.00"))
      let otherExpiry = try #require(Expiry(unixSeconds: term == "expiry" ? 2_000_000_001 : 2_000_000_000))
      _ = try await store.insert(claim, expiry: expiry, at: 100)
      let before = try #require(try await store.outgoing(claim.id))
      #expect(try await store.insert(other, expiry: otherExpiry, at: 200) == .otherTerms(before))
      #expect(try await store.outgoing(claim.id) == before)
    }

    @Test func `what is sent and what is received are kept apart`() async throws {
      let verified = try received(claim)
      #expect(try await store.store(verified, at: 50) == .stored)
      guard case .inserted = try await store.insert(claim, expiry: expiry, at: 100) else {
        Issue.record("what was received kept it out")
        return
      }
      #expect(try await store.outgoing(claim.id)?.state == .new)
      #expect(try await store.incoming(claim.id).map(\.receivedAt) == [50])
      let mine = try StoreTests.claim(id: "mine")
      _ = try await store.insert(mine, expiry: expiry, at: 100)
      #expect(try await store.incoming(mine.id).isEmpty)
    }

    @Test func `two processes that insert one claim at once have inserted it once`() async throws {
      let other = try await ClaimStore.open(at: place.store)
      async let one = store.insert(claim, expiry: expiry, at: 100)
      async let two = other.insert(claim, expiry: expiry, at: 100)
      let results = [try await one, try await two]
      #expect(results.count { if case .inserted = $0 { true } else { false } } == 1)
      #expect(results.count { if case .repeated = $0 { true } else { false } } == 1)
    }
  }
}
