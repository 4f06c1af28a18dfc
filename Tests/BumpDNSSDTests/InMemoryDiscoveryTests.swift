import BumpTesting
import Testing

@Suite struct InMemoryDiscoveryTests {
  @Test(arguments: DiscoveryRule.all)
  func `it does what every discovery does`(rule: DiscoveryRule) async throws {
    try await rule.check(InMemoryDiscovery())
  }
}
