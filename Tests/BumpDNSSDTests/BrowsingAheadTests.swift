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

  @Test func `what was begun is of one subtype, and is not taken for another or for the type`() async throws {
    let type = try ServiceType("ahead")
    let (one, two) = (try ServiceSubtype("c1"), try ServiceSubtype("c2"))
    let services = [("alice", one), ("bob", two)].map {
      Advertisement(name: $0.0, type: type, subtypes: [$0.1], port: 1, txt: TXTRecord(bytes: []))
    }
    let memory = InMemoryDiscovery()
    let discovery = memory.browsingAhead(type, subtype: one)
    try await DiscoveryContract.announced(services[1], on: memory) { _ in
      try await DiscoveryContract.announced(services[0], on: memory) { _ in
        for (subtype, name) in [(two, "bob"), (one, "alice"), (one, "alice")] {
          let event = try await DiscoveryContract.first(discovery.browse(type, subtype: subtype))
          guard case .found(let instance) = event else { throw CancellationError() }
          #expect(instance.name == name)
        }
        _ = try await DiscoveryContract.found("bob", type, on: discovery)
      }
    }
  }
}
