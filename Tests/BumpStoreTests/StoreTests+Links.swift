import BumpClaims
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  /// Links of claims of ours, and claims that come by a link.
  @Suite struct Links {
    private let store: ClaimStore

    init() throws { store = try ClaimStore.inMemory() }

    private func link(_ claim: Claim, key: SharedKey? = nil) throws -> UnverifiedClaimLink {
      try UnverifiedClaimLink(ClaimLink(claim: claim, expiry: #require(later)).text(key: key))
    }

    private func key(_ byte: UInt8) throws -> SharedKey { try #require(SharedKey([UInt8](repeating: byte, count: 32))) }

    @Test func `the link of a claim that nobody was sent has its terms, and the base that was named`() async throws {
      let claim = try await create(store)
      let link = try ClaimLink(base: "https://example.org/c", claim: claim.claim, expiry: claim.expiry)
      #expect(try await store.showLink(of: claim.claim.id, base: link.base, at: 1000) == .shown(link, claim))
      #expect(try await store.outgoing(claim.claim.id)?.state == .linkShown)
    }

    @Test func `the link of an unknown claim is for its receiver, in flight or delivered there is none`() async throws {
      let id = try await create(store).claim.id
      #expect(try await release(id, in: store, at: 1000))
      for now in [ClockReading(1009), 1010] {
        let claim = try #require(try await store.outgoing(id, at: now))
        let link = try ClaimLink(claim: claim.claim, expiry: claim.expiry)
        let expected = now == 1009 ? LinkResult.withheld(claim) : .shownToReceiver(link, claim)
        #expect(try await store.showLink(of: id, at: now) == expected)
      }
      try await store.record(.delivered, of: id)
      let delivered = try #require(try await store.outgoing(id))
      #expect(try await store.showLink(of: id) == .withheld(delivered))
    }

    @Test func `a link base that no link may have changes nothing`() async throws {
      let id = try await create(store).claim.id
      let error = await #expect(throws: ClaimError.self) { try await store.showLink(of: id, base: "http://irl.app") }
      #expect(error?.code == .link)
      #expect(try await store.outgoing(id)?.state == .new)
    }

    @Test func `a link's mac may be made without a key, or with one that is remembered`() async throws {
      let (alice, carol) = (try DisplayName("alice"), try DisplayName("carol"))
      #expect(try await store.remember(key(1), as: alice, at: 1) == .kept)
      #expect(try await store.remember(key(2), as: carol, at: 1) == .kept)
      let claim = try claim()
      for (key, name) in [(nil, nil), (try key(1), alice), (try key(2), carol)] {
        let (verified, maker) = try await store.verify(link(claim, key: key))
        #expect(verified.claim == claim && verified.origin == (key == nil ? .link : .linkOfKeyHolder) && maker == name)
      }
      let forged = try link(claim, key: key(3))
      let error = await #expect(throws: ClaimError.self) { try await store.verify(forged) }
      #expect(error?.code == .linkMAC)
    }
  }
}
