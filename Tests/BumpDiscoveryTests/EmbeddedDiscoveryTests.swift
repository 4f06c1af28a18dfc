import NIOCore
import Testing

@testable import BumpDiscovery

extension LiveTests {
  /// On a network of its own, with and without a daemon beside it.
  @Suite struct EmbeddedDiscoveryTests {
    private let type: ServiceType
    private let alice: Advertisement

    init() throws {
      type = try ServiceType("live")
      alice = Advertisement(name: "alice", type: type, port: 4242, txt: try TXTRecord(["v": "1", "mode": "open"]))
    }

    private func embedded(on host: PrivateDaemon, interface: UInt32 = 0) -> EmbeddedDiscovery {
      EmbeddedDiscovery(interface: interface) { [network = host.network] in network.enter($0) }
    }

    @Test(arguments: DiscoveryRule.all)
    func `it does what every discovery does`(rule: DiscoveryRule) async throws {
      try await PrivateDaemon.with(avahi: false) { host in try await rule.check(embedded(on: host)) }
    }

    // MARK: Beside others

    @Test func `it and a daemon find each other on one host`() async throws {
      try await PrivateDaemon.with { host in
        let (daemon, own) = (DNSSDDiscovery(), embedded(on: host))
        for (publisher, browser) in [(daemon, own), (own, daemon)] as [(any Discovery, any Discovery)] {
          let address = try await within { [alice, type] in
            try await DiscoveryContract.announced(alice, on: publisher) { name in
              let resolved = try await browser.resolve(DiscoveryContract.found(name, type, on: browser))
              #expect(resolved.port == alice.port)
              #expect(resolved.txt.bytes.count == alice.txt.bytes.count)
              #expect(resolved.txt.values == alice.txt.values)
              return try await DiscoveryContract.first(browser.addresses(of: resolved))
            }
          }
          #expect(address.port == 4242)
        }
      }
    }

    @Test func `two processes find each other on one host`() async throws {
      try await PrivateDaemon.with(avahi: false) { host in
        let (publisher, browser) = (embedded(on: host), embedded(on: host))
        let resolved = try await within { [alice, type] in
          try await DiscoveryContract.announced(alice, on: publisher) { name in
            try await browser.resolve(DiscoveryContract.found(name, type, on: browser))
          }
        }
        #expect(resolved.txt == alice.txt)
      }
    }

    @Test func `the host is named by chance, and never by its own name`() async throws {
      try await PrivateDaemon.with(avahi: false) { host in
        let discovery = embedded(on: host)
        var names: Set<String> = []
        for _ in 0..<2 {
          let resolved = try await DiscoveryContract.announced(alice, on: discovery) { name in
            try await discovery.resolve(DiscoveryContract.found(name, type, on: discovery))
          }
          #expect(resolved.host.wholeMatch(of: /bump-[0-9a-f]{16}\.local\./) != nil, "\(resolved.host)")
          names.insert(resolved.host)
        }
        #expect(names.count == 2)
      }
    }

    @Test func `of two hosts with one name the one that probes takes the next`() async throws {
      try await PrivateDaemon.with { host in try await LiveTests.expectNeighbourGivesWay(embedded(on: host), host) }
    }

    // MARK: The network

    @Test func `an address that comes later is told`() async throws {
      try await PrivateDaemon.with(avahi: false) { host in
        let (publisher, browser) = (embedded(on: host), embedded(on: host))
        try await within { [alice, type] in
          try await DiscoveryContract.announced(alice, on: publisher) { name in
            var resolved = try await browser.resolve(DiscoveryContract.found(name, type, on: browser))
            // It may have been found on another interface than the one that the address comes to.
            resolved.interface = 0
            try host.run("ip address add 192.0.2.99/24 dev near")
            for try await address in browser.addresses(of: resolved) where address.ipAddress == "192.0.2.99" { break }
          }
        }
      }
    }

    @Test func `a service is found on an interface that comes later`() async throws {
      try await PrivateDaemon.with(avahi: false) { host in
        let discovery = embedded(on: host)
        try await within { [alice, type] in
          try await DiscoveryContract.announced(alice, on: discovery) { name in
            var interfaces: Set<UInt32> = []
            for try await case .found(let instance) in discovery.browse(type) {
              if interfaces.isEmpty {
                try host.run("ip link add late type veth peer name later; ip link set late up; ip link set later up")
              }
              interfaces.insert(instance.interface)
              // lo, near and far are there, and then late and later.
              if interfaces.count == 5 { break }
            }
          }
        }
      }
    }
  }
}
