import BumpClaims
import BumpWire
import Testing

@Suite struct LimitsTests {
  /// The other end, and whoever writes it again, has them from Docs/protocol.md. No link of a claim comes near 1,024
  /// bytes, so nothing but this shows that limit.
  @Test func `the limits are the numbers of the protocol's page`() {
    #expect(ClaimLimits.claimID == 1...64 && ClaimLimits.secret == 16 && ClaimLimits.token == 1...12)
    #expect(ClaimLimits.displayName == 63 && WireLimits.instanceName == 63)
    #expect(WireLimits.offer == 512 && ClaimLimits.claim == 1024 && ClaimLimits.link == 1024)
    #expect(WireLimits.mac == 32 && ClaimLimits.linkMAC == 16)
    #expect(WireLimits.holdSeconds == 60 && WireLimits.places == 1...8 && WireLimits.queuedPerPlace == 32)
    #expect(WireLimits.chunk == 1056 && WireLimits.firstChunks == 32 && WireLimits.chunksPerMore == 16)
    #expect(DocumentKind.card.limit == 262_144 && DocumentKind.link.limit == 2048)
  }
}
