import BumpDiscovery
import Glibc
import Lab
import NIOCore
import Synchronization
import Testing

@testable import BumpDNSSD

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
        let (daemon, own) = (PrivateDaemon.discovery(), embedded(on: host))
        for (publisher, browser) in [(daemon, own), (own, daemon)] as [(any Discovery, any Discovery)] {
          let address = try await withTimeout { [alice, type] in
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

    @Test(arguments: [true, false])
    func `who browses a subtype finds a service of the other stack by it`(isPublishedByDaemon: Bool) async throws {
      try await PrivateDaemon.with { host in
        let (daemon, own) = (PrivateDaemon.discovery(), embedded(on: host))
        try await isPublishedByDaemon
          ? DiscoveryContract.subtypes(daemon, own) : DiscoveryContract.subtypes(own, daemon)
      }
    }

    @Test func `two processes find each other on one host`() async throws {
      try await PrivateDaemon.with(avahi: false) { host in
        let (publisher, browser) = (embedded(on: host), embedded(on: host))
        let resolved = try await withTimeout { [alice, type] in
          try await DiscoveryContract.announced(alice, on: publisher) { name in
            try await browser.resolve(DiscoveryContract.found(name, type, on: browser))
          }
        }
        #expect(resolved.txt == alice.txt)
      }
    }

    @Test(arguments: [true, false])
    func `it hears who asks for a subtype, itself left out`(isDaemon: Bool) async throws {
      try await PrivateDaemon.with(avahi: isDaemon) { host in
        let own = embedded(on: host)
        let other: any Discovery = isDaemon ? PrivateDaemon.discovery() : embedded(on: host)
        let (mine, others) = (try ServiceSubtype("mine"), try ServiceSubtype("others"))
        let (heard, tell) = AsyncStream.makeStream(of: ServiceSubtype.self)
        let listening = [mine, others].map { [type] subtype in
          let questions = own.questions(for: type, subtype: subtype)
          return Task { for try await _ in questions { tell.yield(subtype) } }
        }
        defer { for task in listening { task.cancel() } }
        // Its own question goes out first.
        let events = [own.browse(type, subtype: mine), other.browse(type, subtype: others)]
        let browsing = events.map { events in Task { for try await _ in events {} } }
        defer { for task in browsing { task.cancel() } }
        #expect(try await withTimeout { await heard.first { _ in true } } == others)
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

    /// RFC 6762 §10.4.
    @Test func `an instance that nobody speaks for is lost once it is to be reconfirmed, and one that is there is not`()
      async throws
    {
      try await PrivateDaemon.with(avahi: false) { host in
        let (publisher, browser) = (embedded(on: host), embedded(on: host))
        try await withTimeout { [alice, type] in
          try await DiscoveryContract.announced(alice, on: publisher) { name in
            try host.run(Self.announceNobody(type))
            for try await event in browser.browse(type) {
              switch event {
              case .found(let instance): browser.reconfirm(instance)
              case .lost(let instance):
                #expect(instance.name == "nobody")
                return
              }
            }
          }
        }
      }
    }

    /// Multicasts one pointer to an instance that there is not, for 75 minutes.
    private static func announceNobody(_ type: ServiceType) -> String {
      """
      python3 -c '
      import socket, struct
      name = lambda *labels: b"".join(bytes([len(label)]) + label.encode() for label in labels) + bytes(1)
      data = name("nobody", "_\(type.name)", "_tcp", "local")
      link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      link.bind(("", 5353))
      link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("192.0.2.1"))
      record = name("_\(type.name)", "_tcp", "local") + struct.pack(">HHIH", 12, 1, 4500, len(data)) + data
      link.sendto(struct.pack(">6H", 0, 0x8400, 0, 1, 0, 0) + record, ("224.0.0.251", 5353))
      '
      """
    }

    // MARK: A port that another program holds

    /// Holds port 5353 of all IPv4 addresses.
    ///
    /// - Parameter option: the only one that is set; `nil` for none.
    private static func hold(_ host: PrivateDaemon, with option: Int32?) throws -> Int32 {
      let all = try SocketAddress(ipAddress: "0.0.0.0", port: 5353)
      var descriptor: Int32 = -1
      host.network.enter {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        if let option { setsockopt(descriptor, SOL_SOCKET, option, &on, 4) }
        precondition(all.withSockAddr { bind(descriptor, $0, socklen_t($1)) } == 0)
      }
      return descriptor
    }

    @Test(arguments: [(SO_REUSEADDR, 0), (SO_REUSEPORT, 1), (nil, 1)] as [(Int32?, Int)])
    func `a port is shared by SO_REUSEADDR, and it is said once that another program does not share it so`(
      option: Int32?, times: Int
    ) async throws {
      try await PrivateDaemon.with(avahi: false) { host in
        let holder = try Self.hold(host, with: option)
        defer { close(holder) }
        let said = Mutex<[String]>([])
        let discovery = EmbeddedDiscovery(within: { [network = host.network] in network.enter($0) }) { error in
          said.withLock { $0.append(error.reason) }
        }
        // By IPv6, where IPv4 is lost. The stack closes its sockets in between.
        for _ in 1...2 {
          _ = try await withTimeout { [alice, type] in
            try await DiscoveryContract.announced(alice, on: discovery) { name in
              try await discovery.resolve(DiscoveryContract.found(name, type, on: discovery))
            }
          }
          await discovery.settle()
        }
        let sentence = "IPv4 multicast DNS is not available: another program holds UDP port 5353"
        #expect(said.withLock(\.self) == Array(repeating: sentence, count: times))
      }
    }

    @Test func `a family whose port is free again is used again, and that is said`() async throws {
      try await PrivateDaemon.with(avahi: false) { host in
        let holder = try Self.hold(host, with: nil)
        let (said, feed) = AsyncStream.makeStream(of: String.self)
        let discovery = EmbeddedDiscovery(
          within: { [network = host.network] in network.enter($0) }, onRefusal: { feed.yield($0.reason) },
          onReturn: { feed.yield($0) })
        try await withTimeout { [alice] in
          try await DiscoveryContract.announced(alice, on: discovery) { _ in
            var sentences = said.makeAsyncIterator()
            let held = await sentences.next()
            #expect(held == "IPv4 multicast DNS is not available: another program holds UDP port 5353")
            close(holder)
            // No interface changes.
            #expect(await sentences.next() == "IPv4 multicast DNS is available again")
          }
        }
      }
    }

    // MARK: The network

    @Test func `with an interface it publishes and finds on that one alone`() async throws {
      try await PrivateDaemon.with(avahi: false) { host in
        let near = try #require(host.interfaceIndex("near"))
        // What goes out by near comes in by far, and back by near; never by lo.
        for (publisher, browser, expected) in [
          (embedded(on: host, interface: near), embedded(on: host), ["near", "far"]),
          (embedded(on: host), embedded(on: host, interface: near), ["near"]),
        ] {
          let seen = try await withTimeout { [alice, type] in
            try await DiscoveryContract.announced(alice, on: publisher) { name in
              var seen: Set<UInt32> = []
              let events = browser.browse(type)
              // Another is published later on all: once it is found everywhere, so is the first.
              let marker = Advertisement(name: "marker", type: type, port: 1, txt: alice.txt)
              return try await DiscoveryContract.announced(marker, on: embedded(on: host)) { _ in
                var marked: Set<UInt32> = []
                for try await case .found(let instance) in events {
                  if instance.name == name {
                    seen.insert(instance.interface)
                  } else {
                    marked.insert(instance.interface)
                  }
                  if marked.count >= (expected.count == 1 ? 1 : 3), seen.count >= expected.count { break }
                }
                return seen
              }
            }
          }
          #expect(seen == Set(expected.compactMap { host.interfaceIndex($0) }))
        }
      }
    }

    @Test func `an address that comes later is told`() async throws {
      try await PrivateDaemon.with(avahi: false) { host in
        let (publisher, browser) = (embedded(on: host), embedded(on: host))
        try await withTimeout { [alice, type] in
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
        try await withTimeout { [alice, type] in
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
