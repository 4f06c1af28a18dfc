import BumpWire
import Testing

@Suite struct LimitsTests {
  /// The other end, and whoever writes it again, has them from Docs/protocol.md. No link of a claim comes near 1,024
  /// bytes, so nothing but this shows that limit.
  @Test func `the limits are the numbers of the protocol's page`() {
    #expect(Limits.claimID == 1...64 && Limits.secret == 16 && Limits.token == 1...12)
    #expect(Limits.displayName == 63 && Limits.instanceName == 63)
    #expect(Limits.offer == 512 && Limits.claim == 1024 && Limits.link == 1024)
    #expect(Limits.mac == 32 && Limits.linkMAC == 16)
    #expect(Limits.holdSeconds == 60)
  }
}
