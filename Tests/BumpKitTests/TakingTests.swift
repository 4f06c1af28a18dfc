import BumpClaims
import BumpKit
import Samples
import Testing

/// Claims that come by a link.
@Suite struct TakingTests {
  private let store: ClaimStore

  init() throws { store = try ClaimStore.inMemory() }

  private func verified(_ claim: Claim) async throws -> VerifiedClaim {
    let link = try ClaimLink(claim: claim, expiry: Fixture.expiry())
    return try await store.verify(UnverifiedClaimLink(link.text(key: nil))).claim
  }

  @Test func `a claim is taken from its link once, in time, and told from another with its id`() async throws {
    let claim = try Fixture.claim()
    let taken = try await verified(claim)
    #expect(try await store.take(taken, at: 1_000_000) == .expired)
    #expect(try await store.incoming(claim.id).isEmpty)
    #expect(try await store.take(taken, at: 999_999) == .received(taken))
    #expect(try await store.take(taken, at: 999_999) == .duplicate(taken))
    let secret = try ClaimSecret([UInt8](repeating: 8, count: 16))
    let other = try await verified(Claim(id: claim.id, secret: secret, token: claim.token, amount: claim.amount))
    #expect(try await store.take(other, at: 5) == .conflicting(other))
  }
}
