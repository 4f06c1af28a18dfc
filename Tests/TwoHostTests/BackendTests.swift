import Glibc
import Lab
import Testing

/// `bump` chooses by itself: the daemon where one answers, and a stack of its own elsewhere.
@Suite(.live) struct BackendTests {
  @Test(arguments: [Daemons.avahi, .none], [Daemons.avahi, .none])
  func `hosts with a daemon and without one find each other`(sending: Daemons, receiving: Daemons) async throws {
    try await withHosts(["left", "right"]) { hosts in
      _ = try await Link.join(hosts[0], hosts[1])
      try await hosts[0].start(sending)
      try await hosts[1].start(receiving)
      let (alice, bob) = (try BumpCommand("alice", on: hosts[0]), try BumpCommand("bob", on: hosts[1]))
      async let sent = alice.run("send", "--amount", "1.00", "--discovery", "auto", "--json")
      let received = try await bob.run("receive", "--discovery", "auto", "--json")
      let ends = (try await sent, received)
      #expect(ends.0.status == 0 && ends.1.status == 0, "\(ends)")
      let backends = [try ends.0.events.first?.string("backend"), try ends.1.events.first?.string("backend")]
      #expect(backends == [sending, receiving].map { $0 == .avahi ? "daemon" : "embedded" })
    }
  }

  @Test func `a daemon that hangs is done without`() async throws {
    try await withHosts(["left", "right"]) { hosts in
      _ = try await Link.join(hosts[0], hosts[1])
      for host in hosts {
        try await host.start(.avahi)
        await host.freezeAvahi()
      }
      let (alice, bob) = (try BumpCommand("alice", on: hosts[0]), try BumpCommand("bob", on: hosts[1]))
      async let sent = alice.run("send", "--amount", "1.00", "--discovery", "auto", "--json")
      let received = try await bob.run("receive", "--discovery", "auto", "--json")
      let ends = (try await sent, received)
      #expect(ends.0.status == 0 && ends.1.status == 0, "\(ends)")
      for end in [ends.0, ends.1] {
        // It is given a second.
        let began = try #require(end.events.first)
        #expect(began.string("backend") == "embedded")
        #expect((1000...1500).contains(try #require(began.number("ms"))), "\(end)")
        #expect(end.duration < .seconds(1) + .prompt, "\(end)")
      }
    }
  }

  @Test func `avahi-browse and python-zeroconf find a sender without a daemon, and withdraw it`() async throws {
    try await withHosts(["left", "right"]) { hosts in
      _ = try await Link.join(hosts[0], hosts[1])
      try await hosts[1].start(.avahi)
      let browser = try await hosts[1].spawn(["avahi-browse", "--resolve", "--parsable", "_irl-bump._tcp"])
      // Debian's, which has the package, whatever else is called python3.
      let zeroconf = try await hosts[1].spawn(["/usr/bin/python3", "-uc", Self.zeroconf])
      let sending = try await BumpCommand("alice", on: hosts[0]).start(
        "send", "--amount", "1.00", "--discovery", "embedded", "--discovery-timeout", "60", "--json")
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      try await browser.line { $0.hasPrefix("=") && $0.contains("alice-") && $0.contains(";\(port);") }
      try await zeroconf.line { $0.hasPrefix("alice-") && $0.contains(" \(port) ") && $0.contains("open") }
      sending.signal(SIGINT)
      try await browser.line { $0.hasPrefix("-") && $0.contains("alice-") }
    }
  }

  @Test(arguments: [Backend.daemon, .embedded])
  func `a receiver finds a sender that python-zeroconf announces, and hears of its end`(backend: Backend) async throws {
    try await withHosts(["left", "right"]) { hosts in
      _ = try await Link.join(hosts[0], hosts[1])
      if backend == .daemon { try await hosts[1].start(.avahi) }
      let (alice, bob) = (try BumpCommand("alice", on: hosts[0]), try BumpCommand("bob", on: hosts[1]))
      let sending = try await alice.start("send", "--amount", "1.00", "--discovery", "none", "--json")
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      let browsing = try await bob.start("browse", "--discovery", backend.rawValue, "--json")
      try await browsing.event("browsing")
      let announcing = try await hosts[0].spawn([
        "/usr/bin/python3", "-uc", Self.announcer, "alice-0123456789abcdef", Link.ipv4(host: 1), String(port),
      ])
      let resolved = try await browsing.event("resolved")
      #expect(resolved.string("address") == "\(Link.ipv4(host: 1)):\(port)" && resolved.string("mode") == "open")
      // One that begins later asks for what has been announced.
      let received = try await bob.run("receive", "--discovery", backend.rawValue, "--json")
      #expect(received.status == 0, "\(received)")
      #expect(try received.events.contains { $0.string("name") == "alice-0123456789abcdef" }, "\(received)")
      #expect(try await sending.finish().status == 0)
      announcing.closeInput()
      try await browsing.event("lost")
      browsing.signal(SIGINT)
      #expect(try await browsing.finish().status == 0)
    }
  }

  /// Announces a service of that name, address and port until its input ends.
  private static let announcer = """
    import socket, sys, zeroconf
    name, address, port = sys.argv[1:]
    service = zeroconf.ServiceInfo(
        "_irl-bump._tcp.local.", name + "._irl-bump._tcp.local.", int(port), addresses=[socket.inet_aton(address)],
        properties={"txtvers": "1", "v": "1", "mode": "open"}, server="left.local.")
    with zeroconf.Zeroconf(interfaces=[address]) as registry:
        registry.register_service(service)
        sys.stdin.read()
        registry.unregister_service(service)
    """

  @Test func `avahi-publish is found without a daemon, and lost`() async throws {
    try await withHosts(["left", "right"]) { hosts in
      _ = try await Link.join(hosts[0], hosts[1])
      try await hosts[0].start(.avahi)
      let avahi = try await hosts[0].spawn([
        "avahi-publish", "-s", "carol-0123456789abcdef", "_irl-bump._tcp", "4242", "txtvers=1", "v=1", "mode=open",
      ])
      let browsing = try await BumpCommand("bob", on: hosts[1]).start("browse", "--discovery", "embedded", "--json")
      try await browsing.line { $0.contains("\"resolved\"") && $0.contains("carol-") && $0.contains("4242") }
      avahi.signal(SIGINT)
      try await browsing.line { $0.contains("\"lost\"") && $0.contains("carol-") }
    }
  }

  /// What has just been multicast is not multicast again (RFC 6762 §6), so a question for that would wait for a second.
  @Test func `a receiver without a daemon that comes just after an announcement is answered alone`() async throws {
    // Half a second after it, it is answered to all again: on a busy machine the receiver may miss the moment.
    for _ in 1...10 {
      if try await comesJustAfterAnAnnouncement() { return }
    }
    Issue.record("no receiver came within half a second of an announcement")
  }

  private func comesJustAfterAnAnnouncement() async throws -> Bool {
    try await withTwoHosts(.ipv4, daemons: .none) { left, right, link in
      let packets = try await right.watch(try #require(link.interface(of: right)), for: "udp port 5353")
      let sending = try await BumpCommand("alice", on: left).start(
        "send", "--amount", "1.00", "--discovery", "embedded")
      let toAll = "10.77.0.1.5353 > 224.0.0.251.5353"
      let announced = try await packets.line { $0.contains(toAll) && $0.contains("PTR alice-") }
      let received = try await BumpCommand("bob", on: right).run("receive", "--discovery", "embedded")
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.finish().status == 0)
      // The same question comes from port 5353, for an answer to all, and from a port of the receiver's own.
      let asked = try await packets.line {
        $0.contains("10.77.0.2.") && !$0.contains("10.77.0.2.5353 >") && $0.contains("> 224.0.0.251.5353")
      }
      guard let gap = Self.seconds(from: announced, to: asked), gap < 0.4 else { return false }
      try await packets.line {
        $0.contains("10.77.0.1.5353 > 10.77.0.2.") && !$0.contains("10.77.0.2.5353:") && $0.contains("PTR alice-")
      }
      return true
    }
  }

  /// Between two lines of tcpdump's, which begin with the time of day.
  private static func seconds(from first: String, to second: String) -> Double? {
    let times = [first, second].compactMap { line -> Double? in
      let fields = line.prefix { $0 != " " }.split(separator: ":").compactMap { Double($0) }
      return fields.count == 3 ? fields[0] * 3600 + fields[1] * 60 + fields[2] : nil
    }
    return times.count == 2 ? times[1] - times[0] : nil
  }

  private static let zeroconf = """
    import zeroconf
    def changed(zeroconf, service_type, name, state_change):
        info = zeroconf.get_service_info(service_type, name, timeout=15000)
        if info:
            print(name, info.port, info.properties)
    browser = zeroconf.ServiceBrowser(zeroconf.Zeroconf(), "_irl-bump._tcp.local.", handlers=[changed])
    input()
    """
}
