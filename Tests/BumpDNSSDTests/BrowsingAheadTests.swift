import BumpDiscovery
import BumpTesting
import Testing

@Suite struct BrowsingAheadTests {
  @Test(arguments: DiscoveryRule.all)
  func `it does what every discovery does`(rule: DiscoveryRule) async throws {
    // The type of the first rule. Browsing for the others starts when they are called for.
    try await rule.check(InMemoryDiscovery().browsingAhead(ServiceType("round-trip")))
  }

  @Test func `the first call to browse gets what came and went before it, and others what is there`() async throws {
    let type = try ServiceType("ahead")
    let alice = Advertisement(name: "alice", type: type, port: 1, txt: TXTRecord(bytes: []))
    let memory = InMemoryDiscovery()
    let discovery = memory.browsingAhead(type)
    try await DiscoveryContract.announced(alice, on: memory) { name in
      for _ in 0..<2 { _ = try await DiscoveryContract.found(name, type, on: discovery) }
    }
    let again = memory.browsingAhead(type)
    try await DiscoveryContract.announced(alice, on: memory) { _ in }
    var told: [String] = []
    for try await event in again.browse(type) {
      switch event {
      case .found(let instance): told.append("found \(instance.name)")
      case .lost(let instance): told.append("lost \(instance.name)")
      }
      if told.count == 2 { break }
    }
    #expect(told == ["found alice", "lost alice"])
  }
}
