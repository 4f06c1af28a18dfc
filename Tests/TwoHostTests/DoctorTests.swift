import Glibc
import Lab
import Testing

/// `bump doctor` on a host where something is wrong, or nothing.
@Suite(.live) struct DoctorTests {
  /// Drops what a pcap filter of nft's own language names.
  private static func drop(_ rule: String, hook: String = "input", on host: Host) async throws {
    try await host.shell(
      """
      nft add table inet ward
      nft add chain inet ward gate '{ type filter hook \(hook) priority 0; }'
      nft add rule inet ward gate \(rule) drop
      """)
  }

  @Test(arguments: Addressing.allCases)
  func `where all is well there is no problem, and the exit status is 0`(addressing: Addressing) async throws {
    try await withTwoHosts(addressing, daemons: .avahi) { left, _, link in
      let interface = try #require(link.interface(of: left))
      let finished = try await BumpCommand("alice", on: left).run("doctor")
      #expect(finished.status == 0 && !finished.standardOutput.contains("PROBLEM"), "\(finished)")
      #expect(finished.standardError == "No problem found.\n", "\(finished)")
      for line in [
        "ok      \(interface) is up, with multicast: ", "ok      the D-Bus system bus answers",
        "ok      avahi-daemon answers", "ok      UDP port 5353 can be shared with avahi-daemon",
        "ok      packets sent on \(interface) to ", "ok      a service published on \(interface) is found after ",
      ] {
        #expect(finished.lines.contains { $0.hasPrefix(line) }, "\(line) in \(finished)")
      }
      // Some four seconds (`Doctor`), where nobody is in sight; a busy machine takes its own to start so many tools.
    }
  }

  @Test func `programs read one object a finding, and a result`() async throws {
    try await withTwoHosts(daemons: .avahi) { left, _, link in
      try await left.shell("ip link set \(try #require(link.interface(of: left))) multicast off")
      let finished = try await BumpCommand("alice", on: left).run("doctor", "--json")
      #expect(finished.status == 1 && finished.standardError.isEmpty, "\(finished)")
      let findings = try finished.events.dropLast()
      #expect(findings.allSatisfy { $0.string("event") == "finding" && $0.string("what") != nil }, "\(finished)")
      let problem = try #require(findings.first { $0.string("severity") == "problem" })
      #expect(problem.string("check") == "interfaces" && problem.string("cause") != nil, "\(problem)")
      #expect(problem.string("try")?.contains("multicast on") == true, "\(problem)")
      #expect(try finished.result.string("outcome") == "problems", "\(finished)")
    }
  }

  @Test(arguments: ["input", "output"])
  func `a firewall that drops multicast DNS is named by its chain`(hook: String) async throws {
    try await withTwoHosts(daemons: .avahi) { left, _, _ in
      try await Self.drop("udp dport 5353", hook: hook, on: left)
      let finished = try await BumpCommand("alice", on: left).run("doctor", "--quiet")
      #expect(finished.status == 1, "\(finished)")
      let way = hook == "input" ? "coming in" : "going out"
      #expect(finished.standardOutput.contains("PROBLEM the firewall drops UDP 5353 \(way) on to-right"), "\(finished)")
      #expect(finished.standardOutput.contains("chain gate in table inet ward"), "\(finished)")
    }
  }

  @Test func `what it tells to try mends it`() async throws {
    try await withTwoHosts(daemons: .avahi) { left, _, _ in
      let alice = try BumpCommand("alice", on: left)
      try await Self.drop("udp dport 5353", on: left)
      try await Self.drop("tcp dport 4000", on: left)
      for problems in [2, 1] {
        let finished = try await alice.run("doctor", "--port", "4000", "--json")
        let findings = try finished.events.filter {
          $0.string("check") == "firewall" && $0.string("severity") == "problem"
        }
        #expect(findings.count == problems, "\(finished)")
        let mend = try #require(findings.first?.string("try"))
        try await left.shell(mend.replacing("sudo ", with: ""))
      }
      let finished = try await alice.run("doctor", "--port", "4000")
      #expect(finished.status == 0, "\(finished)")
    }
  }

  @Test func `a sender in sight is told, reached, and still free for its receiver`() async throws {
    try await withTwoHosts(daemons: .avahi) { left, right, _ in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start("send", "--amount", "1", "--json")
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      let seen = try await bob.run("doctor")
      #expect(
        seen.status == 0
          && seen.standardOutput.contains(
            /ok      alice-[0-9a-f]{4}, in sight at \S+, is a sender, without code or key, and answers/),
        "\(seen)")

      let peer = "\(Link.ipv4(host: 1)):\(port)"
      let reached = try await bob.run("doctor", "--peer", peer)
      #expect(reached.status == 0, "\(reached)")
      #expect(reached.standardOutput.contains("ok      \(peer) is a sender, without code or key"), "\(reached)")
      #expect(try await bob.history().isEmpty)

      let received = try await bob.run("receive", "--peer", peer)
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.finish().status == 0)
    }
  }

  @Test func `a sender with a code loses no guess by it`() async throws {
    try await withTwoHosts(daemons: .avahi) { left, right, _ in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start("send", "--amount", "1", "--code", "--json")
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      let peer = "\(Link.ipv4(host: 1)):\(port)"
      for _ in 1...4 {
        let reached = try await bob.run("doctor", "--discovery", "none", "--peer", peer)
        #expect(reached.status == 0 && reached.standardOutput.contains("is a sender, with a code"), "\(reached)")
      }
      let line = try await sending.line(on: .error) { $0.contains("The code is ") }
      let code = try #require(line.firstMatch(of: /\d+-\d{6}/)).output
      let received = try await bob.run("receive", "--peer", peer, "--code", String(code))
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.finish().status == 0)
    }
  }

  @Test func `a peer that is not to be had is told by what is wrong`() async throws {
    try await withTwoHosts(daemons: .avahi) { left, right, _ in
      let bob = try BumpCommand("bob", on: right)
      let address = Link.ipv4(host: 1)
      let echo = try await left.spawn(["python3", "-uc", Self.echo])
      try await echo.line { $0 == "ready" }
      try await Self.drop("tcp dport 4002", on: left)
      let cases = [
        ("\(address):4000", "refuses the connection"), ("\(address):4001", "is not a sender"),
        ("\(address):4002", "does not answer within 5 s"), ("nobody.invalid:4000", "no host has that name"),
        ("203.0.113.1:4000", "cannot be reached: network is unreachable"),
      ]
      for (peer, words) in cases {
        let finished = try await bob.run("doctor", "--discovery", "none", "--peer", peer, "--quiet")
        #expect(finished.status == 1, "\(finished)")
        let said = finished.standardOutput
        #expect(said.contains("PROBLEM \(peer)") && said.contains(words), "\(finished)")
      }
    }
  }

  private static let echo = """
    import socket
    listener = socket.create_server(("0.0.0.0", 4001))
    print("ready")
    while True:
        connection, _ = listener.accept()
        connection.sendall(connection.recv(100))
    """

  @Test(arguments: [
    (Addressing.ipv4, Int32(1), "PROBLEM UDP port 5353 cannot be shared over IPv4: address already in use\n"),
    (.all, 0, "note    UDP port 5353 cannot be shared over IPv4: address already in use; bump uses IPv6 alone\n"),
  ])
  func `a port that is held by one program alone is named with it`(
    addressing: Addressing, status: Int32, words: String
  ) async throws {
    try await withTwoHosts(addressing, daemons: .none) { left, _, _ in
      let holder = try await left.spawn([
        "python3", "-uc",
        """
        import socket
        holder = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        holder.bind(("0.0.0.0", 5353))
        print("ready")
        input()
        """,
      ])
      try await holder.line { $0 == "ready" }
      let finished = try await BumpCommand("alice", on: left).run("doctor")
      #expect(finished.status == status && finished.standardOutput.contains(words), "\(finished)")
      #expect(finished.standardOutput.contains("cause: python3 holds it for itself"), "\(finished)")
    }
  }

  @Test func `without Avahi it says what to start, where Avahi is asked for`() async throws {
    try await withHosts(["left", "right"]) { hosts in
      _ = try await Link.join(hosts[0], hosts[1])
      let finished = try await BumpCommand("alice", on: hosts[0]).run("doctor", "--discovery", "daemon")
      #expect(finished.status == 1, "\(finished)")
      #expect(finished.standardOutput.contains("PROBLEM the D-Bus system bus cannot be reached"), "\(finished)")
      #expect(finished.standardOutput.contains("sudo systemctl start dbus"), "\(finished)")
    }
  }

  @Test func `without Avahi all is well, since bump does without it`() async throws {
    try await withHosts(["left", "right"]) { hosts in
      _ = try await Link.join(hosts[0], hosts[1])
      let finished = try await BumpCommand("alice", on: hosts[0]).run("doctor")
      #expect(finished.status == 0, "\(finished)")
      #expect(
        finished.standardOutput.contains("note    the D-Bus system bus cannot be reached, and with that avahi-daemon"),
        "\(finished)")
    }
  }

  @Test func `a host with nothing but a VPN is told so`() async throws {
    try await withHost(daemons: .none) { host in
      let tunnel = try await host.spawn(["python3", "-uc", Self.tunnel])
      try await tunnel.line { $0 == "ready" }
      try await host.shell("ip address add 10.8.0.1/24 dev vpn0; ip link set vpn0 up")
      let finished = try await BumpCommand("alice", on: host).run("doctor", "--discovery", "none")
      #expect(finished.status == 1, "\(finished)")
      let words = "PROBLEM only vpn0, which looks like a VPN, has an address"
      #expect(finished.standardOutput.contains(words), "\(finished)")
    }
  }

  /// Holds a tun device open, as a VPN's program does (TUNSETIFF, IFF_TUN).
  private static let tunnel = """
    import fcntl, os, struct
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, 0x400454CA, struct.pack("16sH", b"vpn0", 0x0001))
    print("ready")
    input()
    """

  @Test func `who is not root is told what only root sees, and no more is wrong`() async throws {
    try await withTwoHosts(daemons: .avahi) { left, _, _ in
      let command = ["setpriv", "--reuid", "65534", "--clear-groups", "--regid", "65534", BumpCommand.binary, "doctor"]
      let finished = try await left.run(command, environment: ["BUMP_STORE": "/nonexistent", "LC_ALL": "C.UTF-8"])
      #expect(finished.status == 0, "\(finished)")
      #expect(finished.standardOutput.contains("note    the rules of the firewall cannot be read"), "\(finished)")
      #expect(finished.standardOutput.contains("can be shared with a program of the user"), "\(finished)")
    }
  }

  @Test func `Ctrl-C ends it at once`() async throws {
    try await withTwoHosts(daemons: .avahi) { left, right, _ in
      try await Self.drop("tcp dport 4002", on: left)
      let running = try await BumpCommand("bob", on: right).start(
        "doctor", "--json", "--peer", "\(Link.ipv4(host: 1)):4002")
      // Two seconds after it began: it knocks at the peer now, and would for three seconds more.
      try await running.line { $0.contains(#""check":"publishing""#) }
      running.signal(SIGINT)
      let finished = try await running.finish()
      #expect(finished.status == 130, "\(finished)")
      #expect(try finished.result.string("outcome") == "interrupted", "\(finished)")
    }
  }
}
