import Glibc
import Lab
import Testing

/// Somebody on the link makes up senders, and chooses their addresses.
@Suite(.live) struct ForgedAddressTests {
  /// Accepts and holds whatever connects to port 4444 of any address of its host, and says to which.
  private static let listener = """
    import socket
    listener = socket.create_server(("::", 4444), family=socket.AF_INET6, dualstack_ipv6=True)
    print("ready")
    held = []
    while True:
        connection, _ = listener.accept()
        held.append(connection)
        print("visited", connection.getsockname()[0].removeprefix("::ffff:"))
    """

  /// Announces a sender for each list of addresses, on port 4444, every half second (RFC 6762 §18, RFC 6763).
  private static let forger = """
    import ipaddress, socket, struct, sys, time
    source, lists = sys.argv[1], [text.split(",") for text in sys.argv[2:]]

    def name(*labels):
        return b"".join(bytes([len(label)]) + label for label in labels) + b"\\0"

    def record(owner, number, data, unique=True):
        return owner + struct.pack(">HHIH", number, 0x8001 if unique else 1, 120, len(data)) + data

    service = (b"_irl-bump", b"_tcp", b"local")
    packets = []
    for number, addresses in enumerate(lists):
        instance, host = name(b"forged-%016x" % number, *service), name(b"forged-%d" % number, b"local")
        records = [
            record(name(*service), 12, instance, False), record(instance, 33, struct.pack(">HHH", 0, 0, 4444) + host),
            record(instance, 16, b"\\x09txtvers=1\\x03v=1\\x09mode=open")]
        for address in map(ipaddress.ip_address, addresses):
            records.append(record(host, 1 if address.version == 4 else 28, address.packed))
        packets.append(struct.pack(">6H", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records))
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for option in [socket.SO_REUSEADDR, socket.SO_REUSEPORT]:
        link.setsockopt(socket.SOL_SOCKET, option, 1)
    link.bind(("", 5353))
    link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(source))
    link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    while True:
        for packet in packets:
            link.sendto(packet, ("224.0.0.251", 5353))
        print("forged")
        time.sleep(0.5)
    """

  private func listen(on host: Host) async throws -> RunningProcess {
    let listener = try await host.spawn(["python3", "-uc", Self.listener])
    try await listener.line { $0 == "ready" }
    return listener
  }

  private func forge(_ lists: [String], on host: Host) async throws {
    let forger = try await host.spawn(["python3", "-uc", Self.forger, Link.ipv4(host: 1)] + lists)
    try await forger.line { $0 == "forged" }
  }

  /// The addresses that were connected to, in the order in which they were.
  private func visits(_ listener: RunningProcess) -> [String] {
    listener.standardOutput.lines.compactMap { $0.hasPrefix("visited ") ? String($0.dropFirst(8)) : nil }
  }

  /// Where a connection was begun to, by what tcpdump printed: `IP6 fd77::2.40000 > fd77::1.4444: Flags [S], …`.
  private func attempts(_ capture: RunningProcess) -> Set<String> {
    Set(
      capture.standardOutput.lines.compactMap { line in
        line.firstMatch(of: /> (\S+)\.4444: Flags \[S\]/).map { String($0.1) }
      })
  }

  /// Own loopback addresses in every spelling, own addresses of another link, hosts beyond a router and on another link,
  /// and what names no one host.
  private static let foreign = [
    "127.0.0.1", "127.8.8.8", "0.0.0.0", "172.17.0.1", "10.77.1.1", "10.77.1.2", "203.0.113.7", "10.77.0.255",
    "224.0.0.1", "255.255.255.255", "::1", "::", "::ffff:127.0.0.1", "::ffff:10.77.0.1", "fd78::1", "fd77:1::1",
    "fd99::7",
    "ff02::1",
  ]

  @Test func `forged addresses bring nobody to the receiver's own ports, to another link or beyond a router`()
    async throws
  {
    try await withHosts(["left", "right", "beyond"]) { hosts in
      let (left, right, beyond) = (hosts[0], hosts[1], hosts[2])
      _ = try await Link.join(left, right)
      _ = try await Link.join(beyond, right, number: 1)
      // On both ways beyond the link somebody would answer.
      try await left.shell("ip address add 203.0.113.7/32 dev lo; ip address add fd99::7/128 dev lo")
      try await right.shell(
        """
        ip route add default via \(Link.ipv4(host: 1)); ip -6 route add default via fd77::1
        ip link add docker0 type bridge; ip link set docker0 up
        ip address add 172.17.0.1/16 dev docker0; ip address add fd78::1/64 dev docker0 nodad
        """)
      try await right.start(.needed)
      let (near, own, far) = (try await listen(on: left), try await listen(on: right), try await listen(on: beyond))
      let capture = try await right.watch("any", for: "tcp port 4444")
      // The last list shows that what is forged is heard at all.
      try await forge(Self.foreign + [Link.ipv4(host: 1)], on: left)
      let received = try await BumpCommand("bob", on: right).runOut(["receive"], seconds: 4) { _ in
        !visits(near).isEmpty
      }
      #expect(received.status == 3, "\(received)")
      // What they print comes later than what they print it of.
      try await near.line { $0 == "visited \(Link.ipv4(host: 1))" }
      try await capture.line { $0.contains("> \(Link.ipv4(host: 1)).4444: Flags [S]") }
      #expect(visits(own).isEmpty && visits(far).isEmpty, "\(visits(own)) \(visits(far))")
      #expect(Set(visits(near)) == [Link.ipv4(host: 1)], "\(visits(near))")
      #expect(attempts(capture) == [Link.ipv4(host: 1)], "\(capture)")
    }
  }

  @Test func `a person may give the address of a loopback port or one beyond a router`() async throws {
    try await withTwoHosts(daemons: .none) { left, right, _ in
      try await left.shell("ip address add 203.0.113.7/32 dev lo")
      try await right.shell("ip route add default via \(Link.ipv4(host: 1))")
      let (near, own) = (try await listen(on: left), try await listen(on: right))
      let bob = try BumpCommand("bob", on: right)
      for (peer, listener, address) in [
        ("203.0.113.7:4444", near, "203.0.113.7"), ("127.0.0.1:4444", own, "127.0.0.1"), ("[::1]:4444", own, "::1"),
      ] {
        let receiving = try await bob.start("receive", "--peer", peer)
        try await listener.line { $0 == "visited \(address)" }
        receiving.signal(SIGINT)
        #expect(try await receiving.finish().status == 130)
      }
      #expect(Set(visits(near)) == ["203.0.113.7"] && Set(visits(own)) == ["127.0.0.1", "::1"])
    }
  }

  /// On a terminal connecting is held back for 300 ms, so that all addresses are known before the first is tried.
  /// Of the two orders one is the wrong one, whichever way round the records are told.
  @Test(arguments: [[1, 2], [2, 1]])
  func `an address on the link is tried before one of this host's own`(order: [Int]) async throws {
    try await withTwoHosts { left, right, _ in
      let (near, own) = (try await listen(on: left), try await listen(on: right))
      try await forge([order.map { Link.ipv4(host: $0) }.joined(separator: ",")], on: left)
      let receiving = try await BumpCommand("bob", on: right).start("receive", streams: .terminalButOutput)
      try await near.line { $0 == "visited \(Link.ipv4(host: 1))" }
      // In later turns each address is tried as it becomes known.
      #expect(visits(own).isEmpty, "\(visits(own))")
      receiving.signal(SIGINT)
      _ = try await receiving.finish()
    }
  }
}
