import Testing

@testable import BumpDoctor

@Suite struct InterfaceCheckTests {
  private static let wired: Interface.Flags = [.up, .running, .multicast]
  private static let tunnel: Interface.Flags = [.up, .running, .multicast, .pointToPoint]
  private static let lo = Interface(
    name: "lo", index: 1, flags: [.up, .running, .loopback], hardware: 772, ipv4: ["127.0.0.1"])

  private static func interface(
    _ name: String, _ flags: Interface.Flags, hardware: UInt16 = 1, _ addresses: [String] = ["10.0.0.1"]
  ) -> Interface {
    Interface(name: name, index: 2, flags: flags, hardware: hardware, ipv4: addresses)
  }

  static let hosts: [(why: String, [Interface], [String])] = [
    ("a cable", [interface("eth0", wired)], ["ok eth0 is up, with multicast: 10.0.0.1"]),
    (
      "multicast is off", [interface("eth0", wired.subtracting(.multicast))],
      ["problem eth0 is up (10.0.0.1), but without multicast"]
    ),
    ("nothing but lo", [], ["problem no network: no interface that has neighbours is up with an address"]),
    (
      "a VPN alone", [interface("tun0", tunnel, hardware: 65534)],
      ["problem only tun0, which looks like a VPN, has an address"]
    ),
    (
      "WireGuard says only what it speaks", [interface("wg0", [.up, .running], hardware: 65534)],
      ["problem only wg0, which looks like a VPN, has an address"]
    ),
    (
      "a VPN beside a cable without an address",
      [interface("eth0", wired, []), interface("tun0", tunnel, hardware: 65534)],
      ["problem only tun0, which looks like a VPN, has an address"]
    ),
    (
      "a VPN beside a cable", [interface("eth0", wired), interface("tun0", tunnel, hardware: 65534)],
      [
        "ok eth0 is up, with multicast: 10.0.0.1",
        "note tun0 is point-to-point, such as a VPN or a modem: no machine nearby is reached by it",
      ]
    ),
    (
      "a Wi-Fi that is off, beside a cable", [interface("eth0", wired), interface("wlan0", [.multicast], [])],
      ["ok eth0 is up, with multicast: 10.0.0.1", "note wlan0 is down"]
    ),
    (
      "a cable that is not plugged in", [interface("eth0", [.up, .multicast])],
      ["problem no network: eth0 has no carrier"]
    ),
    (
      "what software made for itself",
      [
        interface("eth0", wired), interface("docker0", wired), interface("veth12", wired, []),
        interface("ifb0", [], []),
      ],
      ["ok eth0 is up, with multicast: 10.0.0.1"]
    ),
  ]

  @Test(arguments: hosts)
  func `a host is judged by its interfaces`(why: String, interfaces: [Interface], expected: [String]) {
    let findings = InterfaceCheck.judge([Self.lo] + interfaces, named: nil, isMulticastWanted: true)
    #expect(findings.map { "\($0.severity) \($0.what)" } == expected, "\(why)")
    for finding in findings where finding.severity == .problem {
      #expect(finding.cause != nil && finding.remedy != nil)
    }
  }

  static let idle: [(Interface.Flags, String)] = [
    ([.multicast], "it is switched off: `ip link` shows it without UP"),
    ([.up, .multicast], "no cable or Wi-Fi is connected"),
  ]

  @Test(arguments: idle)
  func `an interface that is down was switched off, and one without a carrier has no cable`(
    flags: Interface.Flags, cause: String
  ) {
    let findings = InterfaceCheck.judge([Self.interface("eth0", flags)], named: nil, isMulticastWanted: true)
    #expect(findings.map(\.cause) == [cause])
  }

  @Test func `a port of a bridge needs no address`() {
    var port = Self.interface("eth0", Self.wired, [])
    let judge = {
      InterfaceCheck.judge([Self.interface("br0", Self.wired), port], named: nil, isMulticastWanted: true)
    }
    #expect(judge().map(\.severity) == [.ok, .note])
    port.isPort = true
    #expect(judge().map(\.severity) == [.ok])
  }

  @Test func `ports are those with a master, as ip(8) tells`() {
    let links = """
      [{"ifindex":1,"ifname":"lo","flags":["LOOPBACK","UP"]},
       {"ifindex":2,"ifname":"eth0","flags":["UP"],"master":"br0"},{"ifindex":3,"ifname":"br0","flags":["UP"]}]
      """
    #expect(Interface.ports(links) == ["eth0"])
    #expect(Interface.ports("").isEmpty)
  }

  @Test func `the interface that is named is looked at alone, whatever it is`() {
    let interfaces = [Self.lo, Self.interface("eth0", Self.wired), Self.interface("docker0", Self.wired)]
    let judge = { InterfaceCheck.judge(interfaces, named: $0, isMulticastWanted: true).map(\.what) }
    #expect(judge("lo") == ["lo is up, with multicast: 127.0.0.1"])
    #expect(judge("docker0") == ["docker0 is up, with multicast: 10.0.0.1"])
  }

  @Test func `without discovery no multicast is needed`() {
    let interface = Self.interface("eth0", Self.wired.subtracting(.multicast))
    let findings = InterfaceCheck.judge([interface], named: nil, isMulticastWanted: false)
    #expect(findings == [.ok(.interfaces, "eth0 is up: 10.0.0.1")])
  }

  @Test func `this host has a loopback interface with its address`() throws {
    let lo = try #require(Interface.all().first { $0.name == "lo" })
    #expect(lo.kind == .loopback && lo.hardware == 772 && lo.index > 0)
    #expect(lo.ipv4.contains("127.0.0.1") || !lo.flags.contains(.up))
  }
}
