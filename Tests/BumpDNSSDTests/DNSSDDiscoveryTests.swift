import BumpDiscovery
import Lab
import NIOCore
import Testing

@testable import BumpDNSSD

extension LiveTests {
  /// Against real daemons.
  @Suite struct DNSSDDiscoveryTests {
    private let discovery = PrivateDaemon.discovery()
    private let type: ServiceType
    private let alice: Advertisement
    private let nobody: ServiceInstance
    private let nowhere = ResolvedService(host: "nowhere.local.", port: 1, txt: TXTRecord(bytes: []), interface: 0)
    private let unavailable = DiscoveryError(.unavailable, "")

    init() throws {
      type = try ServiceType("live")
      alice = Advertisement(name: "alice", type: type, port: 4242, txt: try TXTRecord(["v": "1"]))
      nobody = ServiceInstance(name: "nobody", type: "_live._tcp.", interface: 0)
    }

    @Test(arguments: DiscoveryRule.all)
    func `it does what every discovery does`(rule: DiscoveryRule) async throws {
      try await PrivateDaemon.with { _ in try await rule.check(discovery) }
    }

    // MARK: No daemon, or one that dies

    @Test func `without a system bus everything fails and says what to start`() async throws {
      try await PrivateDaemon.without { try await expectUnavailable() }
    }

    @Test func `without an avahi-daemon everything fails and says what to start`() async throws {
      try await PrivateDaemon.with(avahi: false) { _ in try await expectUnavailable() }
    }

    private func expectUnavailable() async throws {
      await #expect(throws: unavailable) { try await DiscoveryContract.first(discovery.advertise(alice)) }
      await #expect(throws: unavailable) { try await DiscoveryContract.first(discovery.browse(type)) }
      await #expect(throws: unavailable) { try await discovery.resolve(nobody) }
      let error = await #expect(throws: DiscoveryError.self) {
        try await DiscoveryContract.first(discovery.addresses(of: nowhere))
      }
      #expect(error?.description.contains("no avahi-daemon answers. Start one with: ") == true)
    }

    @Test func `an advertisement ends when the daemon dies`() async throws {
      try await PrivateDaemon.with { daemon in
        var names = discovery.advertise(alice).makeAsyncIterator()
        #expect(try await names.next() == "alice")
        try daemon.killAvahi()
        await #expect(throws: unavailable) { try await names.next() }
      }
    }

    @Test func `a browse ends when the daemon dies`() async throws {
      try await PrivateDaemon.with { daemon in
        try await DiscoveryContract.announced(alice, on: discovery) { _ in
          var events = discovery.browse(type).makeAsyncIterator()
          _ = try await events.next()
          try daemon.killAvahi()
          await #expect(throws: unavailable) { while try await events.next() != nil {} }
        }
      }
    }

    @Test func `questions in waiting end when the daemon dies`() async throws {
      try await PrivateDaemon.with { daemon in
        try await DiscoveryContract.announced(alice, on: discovery) { name in
          let answer = Task { try await discovery.resolve(nobody) }
          let address = Task { try await DiscoveryContract.first(discovery.addresses(of: nowhere)) }
          // By the time other questions are answered, these have been asked.
          let instance = try await DiscoveryContract.found(name, type, on: discovery)
          _ = try await DiscoveryContract.first(discovery.addresses(of: discovery.resolve(instance)))
          try daemon.killAvahi()
          await #expect(throws: unavailable) { try await answer.value }
          await #expect(throws: unavailable) { try await address.value }
        }
      }
    }

    @Test func `a question that nobody answers does not blame the daemon`() async throws {
      try await PrivateDaemon.with { _ in
        await #expect(throws: DiscoveryError(.failed, "")) { try await discovery.resolve(nobody) }
      }
    }

    // MARK: What is said beside the daemon

    @Test func `who browses before or after finds what is announced beside the daemon, once per interface`()
      async throws
    {
      try await PrivateDaemon.with { _ in
        for browsesFirst in [true, false] {
          let service = Advertisement(name: "alice \(browsesFirst)", type: type, port: 4242, txt: alice.txt)
          try await withTimeout { [discovery, type] in
            let early = browsesFirst ? discovery.browse(type) : nil
            try await DiscoveryContract.announced(service, on: discovery) { name in
              var found: [ServiceInstance] = []
              for try await case .found(let instance) in early ?? discovery.browse(type) where instance.name == name {
                found.append(instance)
                let resolved = try await discovery.resolve(instance)
                #expect(resolved.port == 4242 && resolved.txt.bytes == service.txt.bytes && resolved.address != nil)
                if found.count == 2 { break }
              }
              #expect(Set(found).count == 2, "near and far")
            }
          }
        }
      }
    }

    @Test func `what was announced beside a daemon that dies is taken back`() async throws {
      try await PrivateDaemon.with { host in
        let embedded = EmbeddedDiscovery { [network = host.network] in network.enter($0) }
        // However busy the machine is, the daemon dies before it is left alone with the announcement.
        let discovery = PrivateDaemon.discovery(handOver: .hang)
        let advertising = Task { [alice] in for try await _ in discovery.advertise(alice) {} }
        // Else it would be listed for 75 minutes.
        try await withTimeout(.hang, "the withdrawal of what was announced") { [type] in
          for try await event in embedded.browse(type) {
            switch event {
            case .found: try host.killAvahi()
            case .lost: return
            }
          }
        }
        await #expect(throws: unavailable) { try await advertising.value }
      }
    }

    // MARK: The network

    @Test func `of two hosts with one name the one that probes takes the next`() async throws {
      try await PrivateDaemon.with { host in try await LiveTests.expectNeighbourGivesWay(discovery, host) }
    }

    // MARK: A daemon that takes no single records

    @Test func `a daemon that refuses is asked to probe, and then does what every discovery does`() async throws {
      try await PrivateDaemon.with(refusingRecords: true) { _ in try await DiscoveryContract.roundTrip(discovery) }
      try await PrivateDaemon.with(refusingRecords: true) { _ in try await DiscoveryContract.takenName(discovery) }
      try await PrivateDaemon.with(refusingRecords: true) { _ in try await DiscoveryContract.subtypes(discovery) }
    }

    @Test func `where it is asked to probe, a name that another host has is changed`() async throws {
      try await PrivateDaemon.with(refusingRecords: true) { daemon in
        try daemon.addNeighbour(announcing: "alice", type.description)
        // A service is listed while its host still probes for its name; it can be resolved once the name is its own.
        _ = try await discovery.resolve(DiscoveryContract.found("alice", type, on: discovery))
        // A neighbour that is slow to defend its name does so later.
        #expect(try await discovery.advertise(alice).contains("alice #2"))
      }
    }

    // MARK: More of the network

    @Test func `one interface can be chosen`() async throws {
      try await PrivateDaemon.with { _ in
        try await DiscoveryContract.announced(alice, on: discovery) { _ in
          var interfaces: Set<UInt32> = []
          for try await case .found(let instance) in discovery.browse(type) {
            interfaces.insert(instance.interface)
            if interfaces.count == 2 { break }
          }
          for interface in interfaces {
            let chosen = PrivateDaemon.discovery(interface: interface)
            #expect(try await DiscoveryContract.found("alice", type, on: chosen).interface == interface)
          }
        }
      }
    }

    @Test func `addresses come once, of both families, and link-local ones with their zone`() async throws {
      try await PrivateDaemon.with { host in
        // The loopback interface, where the service may be found first, has no link-local address.
        let discovery = PrivateDaemon.discovery(interface: try #require(host.interfaceIndex("near")))
        try await DiscoveryContract.announced(alice, on: discovery) { name in
          let instance = try await DiscoveryContract.found(name, type, on: discovery)
          var addresses: [SocketAddress] = []
          for try await address in discovery.addresses(of: try await discovery.resolve(instance)) {
            addresses.append(address)
            if Set(addresses.map(\.protocol)).count == 2 { break }
          }
          #expect(Set(addresses).count == addresses.count)
          #expect(addresses.allSatisfy { $0.port == 4242 })
          let linkLocal = try #require(addresses.first { $0.ipAddress?.hasPrefix("fe80:") == true })
          #expect(linkLocal.zone == instance.interface)
        }
      }
    }

    @Test func `an address comes with the answer, and first of all`() async throws {
      try await PrivateDaemon.with { _ in
        try await DiscoveryContract.announced(alice, on: discovery) { name in
          let resolved = try await discovery.resolve(DiscoveryContract.found(name, type, on: discovery))
          let address = try #require(resolved.address)
          #expect(address.port == 4242)
          #expect(try await DiscoveryContract.first(discovery.addresses(of: resolved)) == address)
        }
      }
    }
  }
}
