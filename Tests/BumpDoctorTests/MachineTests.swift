import BumpClaims
import BumpDiscovery
import BumpWire
import Testing

@testable import BumpDoctor

/// What a machine has beside its network.
@Suite struct MachineTests {
  @Test(arguments: [
    ("hosts: files mdns4_minimal [NOTFOUND=return] dns\n", Finding.Severity.ok),
    ("passwd: files\nhosts:\tfiles dns\n", .note), ("hosts: files dns # mdns\n", .note),
    ("hosts: files dns mdns", .ok), (" hosts : files mdns4 dns", .ok),
  ])
  func `nsswitch without mdns is a note`(text: String, severity: Finding.Severity) {
    #expect(NameServiceCheck.judge(text)?.severity == severity)
  }

  @Test(arguments: [nil, "", "passwd: files", "# hosts: mdns"])
  func `nsswitch without hosts says nothing`(text: String?) {
    #expect(NameServiceCheck.judge(text) == nil)
  }

  private static let now: Int64 = 1_800_000_000

  @Test(arguments: [
    (true, now, Finding.Severity.ok), (false, now, .note), (nil, now, nil), (true, 0, .problem),
    (nil, 1_767_225_599, .problem), (true, 1_767_225_600, .ok),
  ])
  func `a clock is judged by what the kernel knows`(isSynchronized: Bool?, now: Int64, severity: Finding.Severity?) {
    #expect(ClockCheck.judge(isSynchronized: isSynchronized, now: now)?.severity == severity)
  }

  @Test func `a clock that is behind is not said to be compared, since an offer does not tell`() throws {
    let offer = try #require(Expiry(unixSeconds: Self.now + 86400))
    #expect(ClockCheck.judge(offer, of: "alice", now: Self.now - 180_000) == nil)
    let remedy = try #require(ClockCheck.judge(isSynchronized: false, now: Self.now)?.remedy)
    #expect(remedy.contains("or compare `date -u` on both machines"), "\(remedy)")
    #expect(remedy.contains("only if the offer of a sender without a code has expired"), "\(remedy)")
  }

  @Test func `the kernel says something of its clock`() {
    #expect(ClockCheck.isSynchronized() != nil)
  }

  static let sockets = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
     1189: 00000000:14E9 00000000:0000 07 00000000:00000000 00:00000000 00000000   107        0 21713 2 000000002f9c2b3e 0
     1190: 00000000:14EA 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 21714 2 000000002f9c2b3f 0
    """

  @Test func `the kernel's table tells whose a port is`() {
    #expect(PortHolders.sockets(Self.sockets, port: 5353) == [.init(inode: 21713, user: 107)])
    #expect(PortHolders.sockets("", port: 5353).isEmpty)
  }

  @Test func `of the sockets on a TCP port, those that listen are found`() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 00000000:0FA0 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 31 1
         1: 0100007F:0FA0 0100007F:D2F0 01 00000000:00000000 00:00000000 00000000  1000        0 32 1
      """
    #expect(PortHolders.sockets(table, port: 4000, in: PortHolders.listening) == [.init(inode: 31, user: 1000)])
  }

  static let listeners: [([String], String?)] = [
    ([], nil), (["bump"], nil), (["python3"], "TCP port 4000 is taken by python3"),
    (["bump", "nginx", "nginx", "python3"], "TCP port 4000 is taken by nginx and python3"),
  ]

  @Test(arguments: listeners)
  func `a port on which another program than bump listens is a note`(listeners: [String], what: String?) {
    let finding = ListenCheck.judge(listeners, port: 4000)
    #expect(finding?.what == what)
    #expect(finding.map(\.severity) == what.map { _ in .note })
  }

  static let ports: [([String], [MulticastGroup], Finding.Severity, String)] = [
    ([], [], .ok, "free"), (["avahi-daemon"], [], .ok, "shared with avahi-daemon"),
    (["avahi-daemon", "chrome"], [], .ok, "avahi-daemon and chrome"),
    (["avahi-daemon", "systemd-resolve"], [], .note, "MulticastDNS=no"),
    (["avahi-daemon", "avahi-daemon"], [], .note, "shared by 2 processes: avahi-daemon"),
    (["bump", "bump"], [], .ok, "shared with bump"),
    (["rude\u{1B}"], [.ipv4, .ipv6], .problem, #"shared: in use rude\u{1b} holds it for itself"#),
    ([], [.ipv4, .ipv6], .problem, "a program holds it for itself"),
    (
      ["rude"], [.ipv4], .note, "cannot be shared over IPv4: in use; bump uses IPv6 alone rude holds it for itself"
    ),
    (["rude"], [.ipv6], .problem, "cannot be shared over IPv6: in use rude holds it for itself"),
  ]

  @Test(arguments: ports)
  func `a port is shared or not, which is a problem only where nobody is heard without it`(
    holders: [String], refused: [MulticastGroup], severity: Finding.Severity, words: String
  ) {
    let refusals = Dictionary(uniqueKeysWithValues: refused.map { ($0, "in use") })
    let finding = PortCheck.judge(.init(holders: holders, refusals: refusals), heard: [.ipv6])
    #expect(finding.severity == severity)
    let said = [finding.what, finding.cause ?? "", finding.remedy ?? ""].joined(separator: " ")
    #expect(said.contains(words), "\(said)")
  }

  @Test func `the bus's address is where it is said to be`() {
    #expect(DaemonCheck.busPath(nil) == "/run/dbus/system_bus_socket")
    #expect(DaemonCheck.busPath("unix:path=/a/b,guid=1;unix:path=/c") == "/a/b")
    #expect(DaemonCheck.busPath("tcp:host=localhost,port=1") == nil)
  }

  @Test func `no daemon is a problem only where it is needed`() {
    let facts = DaemonCheck.Facts(
      busAddress: "/run/dbus/system_bus_socket", busFailure: "no such file or directory",
      daemonFailure: DiscoveryError(
        .unavailable, "no avahi-daemon answers", remedy: "Start one with: a command"))
    #expect(
      DaemonCheck.judge(facts, .required).map(\.severity) == [.problem], "without the bus the daemon is not asked")
    #expect(DaemonCheck.judge(facts, .optional).map(\.severity) == [.note])
    var alone = facts
    alone.busFailure = nil
    #expect(DaemonCheck.judge(alone, .required).map(\.severity) == [.ok, .problem])
    let remedy = DaemonCheck.judge(alone, .required)[1].remedy
    #expect(remedy?.hasPrefix("sudo systemctl start avahi-daemon (without systemd: ") == true, "\(remedy ?? "")")
    let mute = DaemonCheck.judge(alone, .required, isRunning: true)[1]
    #expect(mute.severity == .problem && mute.cause?.contains("a policy of D-Bus forbids it") == true)
    let well = DaemonCheck.Facts(busAddress: "")
    #expect(DaemonCheck.judge(well, .required).map(\.severity) == [.ok, .ok])
  }
}
