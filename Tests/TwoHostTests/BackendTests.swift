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

  @Test func `avahi-browse and python-zeroconf find a sender without a daemon, and withdraw it`() async throws {
    try await withHosts(["left", "right"]) { hosts in
      _ = try await Link.join(hosts[0], hosts[1])
      try await hosts[1].start(.avahi)
      let browser = try await hosts[1].spawn(["avahi-browse", "--resolve", "--parsable", "_irl-bump._tcp"])
      // Debian's, which has the package, whatever else is called python3.
      let zeroconf = try await hosts[1].spawn(["/usr/bin/python3", "-uc", Self.zeroconf])
      let sending = try await BumpCommand("alice", on: hosts[0]).start(
        "send", "--amount", "1.00", "--discovery", "embedded", "--json")
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      try await browser.line { $0.hasPrefix("=") && $0.contains("alice-") && $0.contains(";\(port);") }
      try await zeroconf.line { $0.hasPrefix("alice-") && $0.contains(" \(port) ") && $0.contains("open") }
      sending.signal(SIGINT)
      try await browser.line { $0.hasPrefix("-") && $0.contains("alice-") }
    }
  }

  private static let zeroconf = """
    import zeroconf
    def changed(zeroconf, service_type, name, state_change):
        info = zeroconf.get_service_info(service_type, name)
        if info:
            print(name, info.port, info.properties)
    browser = zeroconf.ServiceBrowser(zeroconf.Zeroconf(), "_irl-bump._tcp.local.", handlers=[changed])
    input()
    """
}
