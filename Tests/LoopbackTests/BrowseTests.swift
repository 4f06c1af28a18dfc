import Glibc
import Lab
import Testing

/// `bump browse`.
@Suite(.live) struct BrowseTests {
  @Test func `a sender comes and goes`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let browsing = try await bob.start("browse")
      let sending = try await alice.start("send", "--amount", "1.00", "--json", "--code")
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      let came = try await browsing.line { $0.hasPrefix("+") }
      #expect(came.wholeMatch(of: /\+ "alice-[0-9a-f]{4}" +code [1-9][0-9]? +[^ ]+ +\d+ s/) != nil, "\(came)")
      #expect(came.contains(":\(port) "))
      sending.signal(SIGINT)
      let went = try await browsing.line { $0.hasPrefix("-") }
      #expect(went.dropFirst().prefix(40) == came.dropFirst().prefix(40))
      browsing.signal(SIGINT)
      let browsed = try await browsing.finish()
      #expect(browsed.status == 0, "\(browsed)")
      #expect(browsed.lines.count == 2, "\(browsed)")
    }
  }

  @Test func `browsing ends when its time is up`() async throws {
    try await withHost { host in
      let browsed = try await BumpCommand("bob", on: host).run("browse", "--json", "--for", "2")
      #expect(browsed.status == 0 && browsed.duration >= .seconds(2), "\(browsed)")
      #expect(try browsed.result.string("outcome") == "ended")
    }
  }

  @Test func `programs read of one sender`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--json")
      let port = try #require(try await sending.event("advertising").number("port"))
      let browsing = try await bob.start("browse", "--json")
      try await browsing.event("resolved")
      browsing.signal(SIGINT)
      let browsed = try await browsing.finish()
      #expect(browsed.status == 0, "\(browsed)")
      let events = try browsed.events
      #expect(events.first?.string("event") == "browsing" && events.count { $0.string("event") == "found" } == 1)
      let resolved = try #require(events.first { $0.string("event") == "resolved" })
      #expect(resolved.string("mode") == "open" && resolved.number("port") == port)
      #expect(try #require(resolved.number("age")) >= 0)
      #expect(try browsed.result.string("outcome") == "ended")
      // The address is one that a receiver can be given.
      let peer = try #require(resolved.string("address"))
      #expect(try await bob.run("receive", "--peer", peer).status == 0)
      #expect(try await sending.finish().status == 0)
    }
  }

  @Test func `a name that would drive a terminal is harmless`() async throws {
    try await withHost(daemons: .avahi) { host in
      let bob = try BumpCommand("bob", on: host)
      let forging = try await host.spawn([
        "avahi-publish", "--service", "\u{1B}[2J\u{202E}x-0123456789abcdef", "_irl-bump._tcp", "4000",
        "mode=\u{1B}[2J", "ch=\u{1B}[2J",
      ])
      let browsing = try await bob.start("browse", "--for", "60")
      let line = try await browsing.line { $0.hasPrefix("+") }
      #expect(line.contains(#"\u{1b}[2J\u{202e}x-0123"#) && line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(line)")
      forging.signal(SIGTERM)
      browsing.signal(SIGINT)
      #expect(try await browsing.finish().status == 130, "it was told to go on for a minute")
    }
  }

  @Test func `a hundred forged entries do not hide the sender that is there`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      // What is forged is said once: whoever is to hear it must be there.
      let questions = try await host.watch("lo", for: "udp dst port 5353")
      let browsing = try await bob.start("browse", "--json")
      try await questions.line { $0.contains("? _irl-bump._tcp.local") }
      let forging = try await host.spawn(["python3", "-c", Self.forger])
      try await forging.line(on: .error) { $0 == "ready" }
      try await browsing.event("found")
      let sending = try await alice.start("send", "--amount", "1.00")
      try await browsing.line { $0.contains(#""resolved""#) && $0.contains("alice") }
      #expect(try browsing.peakMemory() < 64 * 1024 * 1024)
      browsing.signal(SIGINT)
      #expect(try await browsing.finish().status == 0)
      sending.signal(SIGINT)
      _ = try await sending.finish()
    }
  }

  /// Answers for entries of the type that lead nowhere, on the loopback interface (RFC 6762 §6, RFC 6763 §4.1).
  private static let forger = """
    import socket, struct, sys, time
    def name(*labels):
        return b"".join(bytes([len(l)]) + l for l in labels) + b"\\0"
    kind = name(b"_irl-bump", b"_tcp", b"local")
    mdns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    mdns.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    mdns.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    mdns.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
    mdns.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    mdns.bind(("", 5353))
    for start in range(0, 100, 20):
        answers = b""
        for number in range(start, start + 20):
            target = name(b"forged-%016x" % number, b"_irl-bump", b"_tcp", b"local")
            answers += kind + struct.pack(">HHIH", 12, 1, 4500, len(target)) + target
        mdns.sendto(struct.pack(">HHHHHH", 0, 0x8400, 0, 20, 0, 0) + answers, ("224.0.0.251", 5353))
        time.sleep(0.01)
    print("ready", file=sys.stderr, flush=True)
    """

  @Test(arguments: [Daemons.none, .onlyDBus])
  func `without Avahi it ends at once, and names the daemon`(daemons: Daemons) async throws {
    try await withHost(daemons: daemons) { host in
      let browsed = try await BumpCommand("bob", on: host).run("browse", "--discovery", "daemon", "--json", "--quiet")
      #expect(browsed.status == 3, "\(browsed)")
      #expect(browsed.standardError.split(separator: "\n").count == 1, "\(browsed)")
      #expect(browsed.standardError.contains("avahi-daemon"), "\(browsed)")
      #expect(try browsed.result.string("outcome") == "failed")
    }
  }

  @Test func `when Avahi ends, it ends`() async throws {
    try await withHost { host in
      let browsing = try await BumpCommand("bob", on: host).start("browse", "--discovery", "daemon", "--json")
      try await browsing.event("browsing")
      try await host.killAvahi(SIGTERM)
      let browsed = try await browsing.finish()
      #expect(browsed.status == 3 && browsed.standardError.contains("avahi-daemon"), "\(browsed)")
    }
  }

  @Test func `where nobody reads any more, it ends`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let script = "\(BumpCommand.binary) browse >/dev/full"
      let browsing = try await host.spawn(["sh", "-c", script], environment: bob.environment)
      let sending = try await alice.start("send", "--amount", "1.00")
      let browsed = try await browsing.finish()
      #expect(browsed.status == 1 && browsed.standardError.contains("stdout cannot be written"), "\(browsed)")
      sending.signal(SIGINT)
      _ = try await sending.finish()
    }
  }
}
