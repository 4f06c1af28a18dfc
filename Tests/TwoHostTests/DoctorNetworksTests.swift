import Glibc
import Lab
import Measures
import Testing

/// `bump doctor` in networks that are broken in one way each: it says that one thing, and nothing else. And in networks
/// where all is well: it says nothing.
@Suite(.live) struct DoctorNetworksTests {
  @Test(arguments: measured(broken)) func `of a broken network one thing is told, and that is what is broken`(
    network: DoctorNetwork
  ) async throws { try await network.run() }

  @Test(arguments: measured(healthy)) func `of a network where all is well no complaint is made`(
    network: DoctorNetwork
  ) async throws { try await network.run() }

  /// Each twelfth in the first measure.
  private static func measured(_ networks: [DoctorNetwork]) -> [DoctorNetwork] {
    Measure.isThorough ? networks : stride(from: 0, to: networks.count, by: 12).map { networks[$0] }
  }

  private static let isolation = "keeps its guests apart (client isolation)"

  // MARK: This machine

  private static let machine = [
    DoctorNetwork(
      "the cable is pulled", .problem("no network: to-hub has no carrier", cause: "", mend: "plug its cable in")
    ) {
      try await $0.send()
      try await $0.hub.unplug($0.right)
      return [:]
    },
    DoctorNetwork(
      "the interface is down",
      .problem("no network: to-hub is down", cause: "switched off", mend: "ip link set dev to-hub up")
    ) {
      try await $0.send()
      try await $0.right.shell("ip link set to-hub down")
      return [:]
    },
    DoctorNetwork(
      "nothing gave the interface an address", .problem("no network: to-hub has no address", cause: "no DHCP")
    ) {
      try await $0.send()
      try await $0.right.shell("ip address flush dev to-hub")
      return [:]
    },
    DoctorNetwork(
      "the multicast flag is off", .problem("without multicast", cause: "flag is off", mend: "multicast on")
    ) {
      try await $0.send()
      try await $0.right.shell("ip link set to-hub multicast off")
      return [:]
    },
    DoctorNetwork(
      "D-Bus is not there, and the daemon is asked for", daemons: .none, arguments: ["--discovery", "daemon"],
      .problem("the D-Bus system bus cannot be reached", cause: "no such file", mend: "start dbus")
    ) { _ in [:] },
    DoctorNetwork(
      "avahi-daemon is not there, and is asked for", daemons: .onlyDBus, arguments: ["--discovery", "daemon"],
      .problem("avahi-daemon cannot be asked", cause: "", mend: "start avahi-daemon")
    ) { _ in [:] },
    DoctorNetwork(
      "avahi-daemon hangs, and is asked for", daemons: .avahi, arguments: ["--discovery", "daemon"],
      .problem("avahi-daemon cannot be asked", cause: "", mend: "restart avahi-daemon")
    ) {
      try await $0.send()
      await $0.right.freezeAvahi()
      return [:]
    },
    DoctorNetwork(
      "avahi-daemon leaves the interface alone", daemons: .onlyDBus,
      .problem("is published on to-hub, but not found", cause: "receives nothing", mend: "deny-interfaces")
    ) {
      try await $0.left.startAvahi()
      try await $0.right.startAvahi(server: "deny-interfaces=to-hub")
      try await $0.send()
      return [:]
    },
    DoctorNetwork(
      "another program holds port 5353 for itself", daemons: .none,
      .problem("UDP port 5353 cannot be shared", cause: "python3 holds it for itself")
    ) {
      try await $0.hold("::")
      return [:]
    },
    DoctorNetwork(
      "another program holds port 5353 of IPv4 for itself", daemons: .none,
      .note("UDP port 5353 cannot be shared over IPv4", cause: "python3 holds it for itself")
    ) {
      try await $0.hold("0.0.0.0")
      try await $0.send("--discovery", "embedded")
      return [:]
    },
    DoctorNetwork(
      "another program shares port 5353 by SO_REUSEPORT alone", daemons: .none,
      .note("UDP port 5353 cannot be shared over IPv4", cause: "python3 holds it for itself")
    ) {
      try await $0.hold("0.0.0.0", with: "SO_REUSEPORT")
      try await $0.send("--discovery", "embedded")
      return [:]
    },
    DoctorNetwork(
      "another program holds port 5353 of an address that is not the group's", daemons: .none, .well
    ) {
      try await $0.hold("10.77.0.2")
      try await $0.send("--discovery", "embedded")
      return [:]
    },
    DoctorNetwork(
      "D-Bus does not let the daemon be asked, and it is asked for", daemons: .none,
      arguments: ["--discovery", "daemon"],
      .problem("avahi-daemon runs, but cannot be asked", cause: "a policy of D-Bus forbids it", mend: "system.d")
    ) {
      try await $0.right.shell(
        """
        mount -t tmpfs none /etc/dbus-1/system.d
        cat >/etc/dbus-1/system.d/closed.conf <<'POLICY'
        <busconfig>
          <policy context="mandatory"><deny send_destination="org.freedesktop.Avahi"/></policy>
        </busconfig>
        POLICY
        """)
      try await $0.right.start(.avahi)
      return [:]
    },
    DoctorNetwork(
      "a second avahi-daemon runs", daemons: .avahi,
      .note("shared by 2 processes: avahi-daemon", cause: "may contradict each other")
    ) {
      // As one in a container that shares the network: with a /run of its own, and without D-Bus.
      let other = try await $0.right.spawn([
        "unshare", "--mount", "sh", "-c",
        """
        sed '/server]/a enable-dbus=no' /run/avahi.conf >/dev/shm/second.conf
        mount -t tmpfs none /run
        exec avahi-daemon --file /dev/shm/second.conf --no-drop-root --no-chroot --no-rlimits
        """,
      ])
      try await other.line(on: .error) { $0.contains("Server startup complete") }
      try await $0.send()
      return [:]
    },
    DoctorNetwork(
      "the clock is two days ahead",
      .problem("ended 1 day ago by the clock here", cause: "the clock of this machine is ahead", mend: "date -u")
    ) {
      try await $0.send()
      return try await DoctorScene.clock($0.right, ahead: 2 * 86400)
    },
    DoctorNetwork(
      "the clock is two hours ahead, and the offer lasts one",
      .problem("ended 1 hour ago by the clock here", cause: "the clock of this machine is ahead")
    ) {
      try await $0.send("--expires", "1h")
      return try await DoctorScene.clock($0.right, ahead: 7200 + 60)
    },
    DoctorNetwork("the clock was never set", .problem("years behind", cause: "never set")) {
      try await $0.send()
      return try await DoctorScene.clock($0.right, ahead: -1_700_000_000)
    },
  ]

  // MARK: Firewalls

  private static let drop = "udp dport 5353 drop"

  private static let firewalls: [DoctorNetwork] = [
    .firewall(
      "a firewall drops multicast DNS coming in", [drop],
      .problem(
        "the firewall drops UDP 5353 coming in on to-hub", cause: "chain input in table inet ward",
        mend: "nft insert rule")),
    .firewall(
      "a firewall drops multicast DNS going out", hook: "output", [drop],
      .problem("the firewall drops UDP 5353 going out on to-hub", cause: "chain output in table inet ward")),
    .firewall(
      "a firewall drops multicast DNS coming in, and a user looks", [drop], asUser: true,
      .problem("are not received again", cause: "a firewall of this machine drops them")),
    .firewall(
      "a firewall drops multicast DNS going out, and a user looks", hook: "output", [drop], asUser: true,
      .problem("no packets can be sent on to-hub", cause: "a firewall of this machine drops them on their way out")),
    .firewall(
      "a firewall drops multicast DNS over IPv4 alone", ["meta nfproto ipv4 \(drop)"],
      .note("the firewall drops UDP 5353 coming in over IPv4", cause: "chain input in table inet ward")),
    .firewall(
      "a firewall drops all that is not asked for", policy: "drop", ["ct state established accept", "iif lo accept"],
      .problem(
        "the firewall drops UDP 5353 coming in and TCP 32768 to 60999 coming in", cause: "the policy of chain input")),
    .firewall(
      "the sender's own firewall drops TCP", atSender: true, ["tcp dport 4000 drop"], arguments: ["--port", "4000"],
      isAtSender: true,
      .problem(
        "the firewall drops TCP 4000 coming in", cause: "chain input in table inet ward", mend: "tcp dport 4000 accept")
    ),
    .firewall(
      "the sender's own firewall drops TCP, and a user looks", atSender: true, ["tcp flags syn drop"], asUser: true,
      isAtSender: true,
      .problem(
        "a firewall of this machine drops or rejects TCP", cause: "does not get through", mend: "sudo bump doctor")),
    .firewall(
      "the sender's own firewall drops its port alone, and a user looks", atSender: true, ["tcp dport 4000 drop"],
      asUser: true, isAtSender: true,
      .problem(
        "a firewall of this machine drops or rejects TCP 4000", cause: "does not get through", mend: "--port 4000")),
    .firewall(
      "a firewall drops TCP coming in where nobody sends yet, and a user looks",
      ["tcp flags syn / syn,ack drop"], asUser: true,
      .problem(
        "a firewall of this machine drops or rejects TCP", cause: "does not get through", mend: "sudo bump doctor")),
    .firewall(
      "the sender's firewall drops TCP", atSender: true, ["tcp dport 4000 drop"],
      .problem(
        "does not answer", cause: "a firewall on that machine drops TCP port 4000", mend: "open TCP port 4000 there")),
    .firewall(
      "the sender's firewall drops TCP, and a user looks", atSender: true, ["meta l4proto tcp drop"], asUser: true,
      .problem(
        "does not answer", cause: "on that machine, or on this one, whose rules only root can read",
        mend: "open TCP port 4000 there")),
    .firewall(
      "the sender's firewall rejects TCP by ICMP", atSender: true,
      ["tcp dport 4000 reject with icmpx type admin-prohibited"],
      .problem(
        "rejects the connection by ICMP", cause: "a firewall on that machine rejects TCP port 4000",
        mend: "open TCP port 4000")),
    .firewall(
      "the sender's firewall rejects TCP as if the port were closed, and a user looks", atSender: true,
      ["tcp dport 4000 reject"], asUser: true,
      .problem("rejects the connection by ICMP", cause: "a firewall on that machine rejects TCP port 4000")),
    .firewall(
      "the sender's firewall rejects TCP by a reset", atSender: true, ["tcp dport 4000 reject with tcp reset"],
      .problem("is announced, but refuses", cause: "a firewall on that machine rejects TCP port 4000")),
    .firewall(
      "the receiver's firewall drops TCP going out", hook: "output", ["oifname to-hub meta l4proto tcp drop"],
      .problem("the firewall drops TCP 32768 to 60999 going out", cause: "chain output in table inet ward")),
    .firewall(
      "the receiver's firewall drops TCP going out, and a user looks", hook: "output",
      ["oifname to-hub meta l4proto tcp drop"], asUser: true,
      .problem("cannot be reached from here", cause: "a firewall of this machine", mend: "sudo bump doctor")),
  ]

  // MARK: What lies between, and who is there

  private static let between = [
    DoctorNetwork(
      "a switch drops what is sent to the groups of multicast DNS", daemons: .avahi,
      .problem("answers a direct query", cause: "drops multicast DNS: a switch", mend: "--peer")
    ) {
      try await $0.hub.drop("ip daddr 224.0.0.251", "ip6 daddr ff02::fb")
      // Beside a daemon, it alone gets what is asked by unicast.
      try await $0.send("--discovery", "daemon")
      return [:]
    },
    DoctorNetwork(
      "a switch drops what is sent to the groups of multicast DNS, and no daemon is there", daemons: .none,
      .problem("answers a direct query", cause: "drops multicast DNS: a switch", mend: "--peer")
    ) {
      try await $0.hub.drop("ip daddr 224.0.0.251", "ip6 daddr ff02::fb")
      try await $0.send("--discovery", "embedded")
      return [:]
    },
    DoctorNetwork(
      "a switch drops all of port 5353",
      .note("nor any multicast DNS from others", cause: "or a firewall on the other machine drops multicast DNS")
    ) {
      try await $0.hub.drop("ip protocol udp udp dport 5353", "ip6 nexthdr udp udp dport 5353")
      try await $0.send()
      return [:]
    },
    DoctorNetwork(
      "the sender's firewall drops multicast DNS going out",
      // Without daemons the first question comes from another port, and so its answer does not go to 5353.
      Backend.current == .embedded
        ? .well
        : .problem(
          "answers a direct query", cause: "or a firewall on that machine", mend: "run `bump doctor` there")
    ) {
      try await DoctorScene.filter($0.left, "output", ["oifname to-hub udp dport 5353 drop"])
      try await $0.send()
      return [:]
    },
    DoctorNetwork(
      "nobody is there any more", daemons: .none,
      .note("and nobody on the link, as far as can be told; 10.77.0.9 was there earlier", cause: "nobody is there")
    ) {
      try await $0.hub.unplug($0.left)
      try await $0.hub.unplug($0.router)
      try await $0.right.shell("ip neighbor replace 10.77.0.9 lladdr 02:00:00:00:00:09 dev to-hub nud stale")
      return [:]
    },
    DoctorNetwork(
      "a switch drops multicast DNS, and the sender's address is given", daemons: .avahi,
      arguments: ["--peer", DoctorScene.sender],
      .problem(
        "can be reached, but is not found by multicast DNS", cause: "drops multicast DNS: a switch",
        mend: "--peer 10.77.0.1:4000")
    ) {
      try await $0.hub.drop("ip daddr 224.0.0.251", "ip6 daddr ff02::fb")
      // Beside a daemon, it alone gets what is asked by unicast.
      try await $0.send("--discovery", "daemon")
      return [:]
    },
    DoctorNetwork("guests are kept apart", .note("nobody on the link besides the router", cause: isolation)) {
      try await $0.hub.isolate($0.left)
      try await $0.hub.isolate($0.right)
      try await $0.right.shell("ip route add default via 10.77.0.3")
      try await $0.send()
      return [:]
    },
    DoctorNetwork(
      "guests are kept apart, and the sender's address is given", arguments: ["--peer", DoctorScene.sender],
      .problem("no machine on the link answers for that address", cause: isolation)
    ) {
      try await $0.hub.isolate($0.left)
      try await $0.hub.isolate($0.right)
      try await $0.right.shell("ip route add default via 10.77.0.3")
      try await $0.send()
      return [:]
    },
    DoctorNetwork(
      "guests are kept apart, and only multicast passes",
      .problem("is heard, but nothing that is sent to it alone arrives", cause: isolation)
    ) {
      try await $0.send()
      try await $0.hub.drop("'ether daddr & 01:00:00:00:00:00 == 00:00:00:00:00:00'", "ether type arp")
      return [:]
    },
    DoctorNetwork(
      "the sender has IPv4 only, the receiver IPv6 only", left: .ipv4, right: .ipv6,
      .problem("is heard over IPv4, and to-hub has no IPv4 address", cause: "over IPv4 only, this one over IPv6 only")
    ) {
      try await $0.send()
      return [:]
    },
    DoctorNetwork(
      "the sender has IPv4 only, the receiver IPv6 only, and a user looks", left: .ipv4, right: .ipv6, asUser: true,
      .problem("is heard over IPv4, and to-hub has no IPv4 address", cause: "over IPv4 only, this one over IPv6 only")
    ) {
      try await $0.send()
      return [:]
    },
    // Without an address nothing can be asked over IPv6, and who has no IPv4 hears no question.
    DoctorNetwork(
      "the sender has IPv6 only, the receiver IPv4 only", left: .ipv6, right: .ipv4,
      .note("no sender is in sight", cause: "or the other machine has IPv6 only, which this one has not")
    ) {
      try await $0.send()
      return [:]
    },
    DoctorNetwork(
      "the two are in different subnets on one cable", left: .ipv4, right: .ipv4, network: 5,
      .problem(
        "in sight at 10.77.0.1, which is in no network of to-hub (10.77.5.2)", cause: "in different subnets",
        mend: "one subnet")
    ) {
      try await $0.send()
      return [:]
    },
    DoctorNetwork(
      "the sender's netmask leaves it no route back", left: .ipv4, right: .ipv4,
      .problem("does not answer", cause: "or that machine has no route back to this one", mend: "`ip route` there")
    ) {
      try await $0.left.shell("ip address flush dev to-hub; ip address add 10.77.0.1/32 dev to-hub")
      try await $0.send()
      return [:]
    },
    DoctorNetwork(
      "both machines have one address", left: .ipv4, right: .ipv4,
      .note("nobody on the link", cause: "or the other machine has the address 10.77.0.2 too")
    ) {
      try await $0.left.shell("ip address flush dev to-hub; ip address add 10.77.0.2/24 dev to-hub")
      try await $0.send()
      return [:]
    },
    DoctorNetwork(
      "nobody sends, over link-local addresses", left: .linkLocal, right: .linkLocal, daemons: .none,
      .note("no sender is in sight, nor any multicast DNS from others", cause: "nobody sends just now")
    ) { _ in [:] },
    DoctorNetwork(
      "the sender ended without a goodbye", daemons: .avahi,
      .note("is listed, but refuses the connection", cause: "without a goodbye")
    ) {
      try await Self.publish(on: $0)
      try await $0.left.killAvahi(SIGKILL)
      return [:]
    },
    DoctorNetwork(
      "the sender left the network without a goodbye", daemons: .avahi,
      .note("is listed, but no machine has that address now", cause: "it has left the network")
    ) {
      try await Self.publish(on: $0)
      try await $0.hub.unplug($0.left)
      return [:]
    },
    DoctorNetwork(
      "the sender stands still", daemons: .avahi,
      .problem("takes the connection, but says nothing", cause: "is suspended")
    ) {
      // A stack of its own would stand still with it.
      await (try await $0.send("--discovery", "daemon")).freeze()
      return [:]
    },
    DoctorNetwork(
      "another program has the sender's port", daemons: .avahi,
      .problem("is not a sender: it does not speak bump's protocol", cause: "another program")
    ) {
      let script = """
        import socket
        listener = socket.create_server(("::", 4000), family=socket.AF_INET6, dualstack_ipv6=True)
        print("ready")
        while True:
            connection, _ = listener.accept()
            connection.sendall(b"SSH-2.0-OpenSSH_9.2\\r\\n")
        """
      try await $0.left.spawn(["python3", "-uc", script]).line { $0 == "ready" }
      try await Self.publish(on: $0)
      return [:]
    },
    DoctorNetwork(
      "the sender does not announce itself, and its address is given", arguments: ["--peer", DoctorScene.sender],
      .note("can be reached, but is not found by multicast DNS", cause: "it does not announce itself")
    ) {
      try await $0.send("--discovery", "none")
      return [:]
    },
  ]

  static let broken = machine + firewalls + between + besideTheSender

  // MARK: Seen from the sender

  private static let besideTheSender = [
    DoctorNetwork(
      "a switch drops multicast DNS, and the sender looks", isAtSender: true,
      .note("no receiver is heard, nor any multicast DNS from others", cause: "drops multicast DNS")
    ) {
      try await $0.hub.drop("ip daddr 224.0.0.251", "ip6 daddr ff02::fb")
      return try await $0.sendAndLook()
    },
    DoctorNetwork(
      "guests are kept apart, and the sender looks", isAtSender: true,
      .note("no receiver is heard, and nobody on the link", cause: isolation)
    ) {
      try await $0.hub.isolate($0.left)
      try await $0.hub.isolate($0.right)
      try await $0.hub.isolate($0.router)
      return try await $0.sendAndLook()
    },
    DoctorNetwork(
      "the sender has IPv4 only, the receiver IPv6 only, and the sender looks", left: .ipv4, right: .ipv6,
      // Over IPv6 nothing is heard without an address.
      isAtSender: true,
      .note("no receiver is heard, and nobody on the link", cause: "or the other machine has IPv6 only")
    ) { try await $0.sendAndLook() },
    DoctorNetwork(
      "the sender has IPv6 only, the receiver IPv4 only, and the sender looks", left: .ipv6, right: .ipv4,
      isAtSender: true, .note("no receiver is heard, and multicast DNS arrives from", cause: "of different families")
    ) { try await $0.sendAndLook() },
    DoctorNetwork(
      "the two are in different subnets on one cable, and the sender looks", left: .ipv4, right: .ipv4, network: 5,
      isAtSender: true,
      .note("from 10.77.5.2 alone, which is in no network of to-hub (10.77.0.1)", cause: "in different subnets")
    ) { try await $0.sendAndLook() },
  ]

  /// Has the left host's daemon announce a sender that is not there, and waits until the right host's knows.
  private static func publish(on scene: DoctorScene) async throws {
    _ = try await scene.left.spawn(["avahi-publish", "--service", "alice-0123456789abcdef", "_irl-bump._tcp", "4000"])
    let browser = try await scene.right.spawn(["avahi-browse", "--resolve", "--parsable", "_irl-bump._tcp"])
    try await browser.line { $0.hasPrefix("=") && $0.contains("alice") }
  }

  // MARK: Controls

  static let healthy = [
    DoctorNetwork("a sender waits", .well) {
      try await $0.send()
      return [:]
    },
    DoctorNetwork("a sender waits, and a user looks", asUser: true, .well) {
      try await $0.send()
      return [:]
    },
    DoctorNetwork("a sender waits with a code", .well) {
      try await $0.send("--code")
      return [:]
    },
    DoctorNetwork("a sender waits, and its address is given", arguments: ["--peer", DoctorScene.sender], .well) {
      try await $0.send()
      return [:]
    },
    DoctorNetwork("the sender looks itself", isAtSender: true, .well) {
      try await $0.send()
      try await $0.look()
      return [:]
    },
    DoctorNetwork("no daemon is there", daemons: .none, .well) {
      try await $0.send("--discovery", "embedded")
      return [:]
    },
    DoctorNetwork("IPv4 only on both", left: .ipv4, right: .ipv4, .well) {
      try await $0.send()
      return [:]
    },
    DoctorNetwork("IPv6 only on both", left: .ipv6, right: .ipv6, .well) {
      try await $0.send()
      return [:]
    },
    DoctorNetwork("different IPv4 subnets, but IPv6 that reaches", left: .linkLocal, right: .all, network: 5, .well) {
      try await $0.left.shell("ip address add 192.168.9.1/24 dev to-hub")
      try await $0.send()
      return [:]
    },
    DoctorNetwork(
      "a firewall that lets in what bump needs", daemons: .avahi, arguments: ["--port", "4000"], isAtSender: true, .well
    ) {
      try await DoctorScene.filter(
        $0.left, "input", policy: "drop",
        [
          "ct state established,related accept", "iif lo accept", "udp dport 5353 accept", "tcp dport 4000 accept",
          "meta l4proto ipv6-icmp accept",
        ])
      try await $0.send()
      return [:]
    },
    DoctorNetwork("the interface is a port of a bridge", .well) {
      try await $0.right.shell(
        """
        ip link add br0 type bridge mcast_snooping 0
        ip address flush dev to-hub
        ip link set to-hub master br0
        ip link set br0 up
        ip address add 10.77.0.2/24 dev br0
        """)
      try await $0.send()
      return [:]
    },
    DoctorNetwork("a second cable over which only discovery gets", .well) {
      _ = try await Link.join($0.left, $0.right, number: 1)
      try await DoctorScene.filter($0.left, "input", ["iifname to-right-1 meta l4proto tcp drop"])
      try await $0.send()
      return [:]
    },
    DoctorNetwork("the clock is two hours ahead, and the offer lasts a day", .well) {
      try await $0.send()
      return try await DoctorScene.clock($0.right, ahead: 7200)
    },
  ]

  @Test func `where nobody sends, the machines that are heard are told, and nothing is blamed`() async throws {
    try await withTwoHosts(daemons: .avahi) { left, right, _ in
      _ = try await left.spawn(["avahi-publish", "--service", "printer", "_ipp._tcp", "631"])
      let browser = try await right.spawn(["avahi-browse", "--resolve", "--parsable", "_ipp._tcp"])
      try await browser.line { $0.hasPrefix("=") }
      let finished = try await DoctorScene.doctor(on: right)
      try DoctorScene.expect(
        .note("no sender is in sight, though multicast DNS from", cause: "nobody sends just now"), of: finished)
    }
  }
}
