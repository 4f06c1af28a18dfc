import Testing

@testable import BumpDoctor

/// What rules do with the packets of a bump.
@Suite struct PacketTraceTests {
  enum Expected: String { case passes, mayBeDropped, isDropped }

  private static func tcp(_ port: UInt16, _ interface: String = "eth0") -> Packet {
    .connection(.ipv4, to: port...port, by: interface)
  }

  static let nft: [(why: String, Packet, Expected, chain: String)] = [
    ("a rule takes the IPv4 group", .multicastDNS(.input, .ipv4, by: "eth0"), .passes, ""),
    ("a rule takes all of ff02::", .multicastDNS(.input, .ipv6, by: "eth0"), .passes, ""),
    ("a port of a set", tcp(22), .passes, ""),
    ("a port of a range in a set", tcp(4005), .passes, ""),
    ("a port that nobody named", tcp(5000), .isDropped, "input"),
    ("any port", .connection(.ipv4, to: 32768...60999, by: "eth0"), .isDropped, "input"),
    ("some ports of the range are open", .connection(.ipv4, to: 4000...5000, by: "eth0"), .mayBeDropped, "input"),
    ("whoever is on a list that stands elsewhere", tcp(9000), .mayBeDropped, "input"),
    ("no IPv6 address is on a list of IPv4's", .connection(.ipv6, to: 9000...9000, by: "eth0"), .isDropped, "input"),
    ("as many as a limit lets in", tcp(7000), .mayBeDropped, "input"),
    ("a chain for some interfaces takes it", tcp(8080, "wlan0"), .passes, ""),
    ("that chain is not for this one", tcp(8080, "eth0"), .isDropped, "input"),
    ("everything on lo", tcp(5000, "lo"), .passes, ""),
    ("what goes out", .multicastDNS(.output, .ipv4, by: "eth0"), .passes, ""),
    ("what goes out by an interface that is named", .multicastDNS(.output, .ipv6, by: "eth1"), .isDropped, "output"),
    ("some at random", .multicastDNS(.output, .ipv4, by: "eth2"), .mayBeDropped, "output"),
  ]

  @Test(arguments: nft)
  func `nft lets a packet through or not`(why: String, packet: Packet, expected: Expected, chain: String) throws {
    try expect(packet, in: #require(NFTables.ruleset(Rulesets.nft)), expected, chain, why)
  }

  static let iptables: [(why: String, Packet, Expected, chain: String)] = [
    ("a chain takes the IPv4 group", .multicastDNS(.input, .ipv4, by: "eth0"), .passes, ""),
    ("IPv6 has tables of its own", .multicastDNS(.input, .ipv6, by: "eth0"), .passes, ""),
    ("a port of a list, but not by this interface", tcp(4005), .isDropped, "INPUT"),
    ("a port of a list, by another interface", tcp(4005, "wlan0"), .passes, ""),
    ("from some addresses alone", tcp(9000), .mayBeDropped, "INPUT"),
    ("what a comment says is no rule", tcp(21), .isDropped, "ufw-before-input"),
    ("what goes out", .multicastDNS(.output, .ipv4, by: "eth0"), .passes, ""),
  ]

  @Test(arguments: iptables)
  func `iptables lets a packet through or not`(
    why: String, packet: Packet, expected: Expected, chain: String
  ) {
    let ruleset = Ruleset(chains: IPTables.chains(Rulesets.iptables, family: "ip"))
    expect(packet, in: ruleset, expected, chain, why)
  }

  @Test(arguments: [
    ("-m recent --name x --rsource -j DROP", [Condition.Subject.unknown, .unknown], Rule.Verdict.drop),
    ("-m rpfilter --invert -j DROP", [.unknown], .drop),
    ("-m rpfilter --invert ! -i eth0 -j ACCEPT", [.unknown, .inInterface(["eth0"])], .accept),
    ("-f -j DROP", [.unknown], .drop),
  ])
  func `an option of iptables without a value leaves the rest of its rule`(
    words: String, subjects: [Condition.Subject], verdict: Rule.Verdict
  ) {
    let rule = IPTablesRule.read(words.split(separator: " ").map(String.init))
    #expect(rule.conditions.map(\.subject) == subjects && rule.verdict == verdict)
  }

  private func expect(_ packet: Packet, in ruleset: Ruleset, _ expected: Expected, _ chain: String, _ why: String) {
    let found: (Expected, String) =
      switch PacketTrace.outcome(of: packet, in: ruleset) {
      case .passes: (.passes, "")
      case .mayBeDropped(let place): (.mayBeDropped, place.chain.chain)
      case .isDropped(let place): (.isDropped, place.chain.chain)
      }
    #expect(found == (expected, chain), "\(why)")
  }

  @Test func `a rule that is not understood lets nothing be said for sure`() {
    let id = Ruleset.ChainID(family: "inet", table: "t", chain: "c")
    let unknown = Condition(subject: .unknown)
    let rules = { (verdict: Rule.Verdict) in
      Ruleset(
        chains: [id: .init(hook: .input, isDroppedAtEnd: true, rules: [Rule(conditions: [unknown], verdict: verdict)])])
    }
    let packet = Packet.multicastDNS(.input, .ipv4, by: "eth0")
    let policy = PacketTrace.DropPoint(entry: id, chain: id, isPolicy: true)
    #expect(PacketTrace.outcome(of: packet, in: rules(.accept)) == .mayBeDropped(policy))
    #expect(PacketTrace.outcome(of: packet, in: rules(.drop)) == .isDropped(policy))
    #expect(PacketTrace.outcome(of: packet, in: rules(.jump("elsewhere"))) == .mayBeDropped(policy))
  }

  @Test func `chains that lead in a circle are left`() {
    let id = Ruleset.ChainID(family: "inet", table: "t", chain: "c")
    let chain = Ruleset.Chain(hook: .input, isDroppedAtEnd: true, rules: [Rule(conditions: [], verdict: .jump("c"))])
    let outcome = PacketTrace.outcome(of: Self.tcp(1), in: Ruleset(chains: [id: chain]))
    #expect(outcome == .mayBeDropped(.init(entry: id, chain: id, isPolicy: true)))
  }

  @Test(arguments: ["", "{}", "[]", "nonsense", #"{"nftables": 1}x"#])
  func `what is not nft's is no ruleset`(text: String) {
    #expect(NFTables.ruleset(text).map { $0.chains.isEmpty } != false)
  }

  @Test(arguments: [
    ("224.0.0.251", "224.0.0.251", true), ("224.0.0.0/4", "224.0.0.251", true), ("0.0.0.0/0", "10.0.0.1", true),
    ("224.0.0.250", "224.0.0.251", false), ("225.0.0.0/8", "224.0.0.251", false), ("ff02::/16", "ff02::fb", true),
    ("ff05::/16", "ff02::fb", false), ("::/0", "224.0.0.251", false), ("10.0.0.0/9", "10.127.0.1", true),
    ("10.0.0.0/9", "10.128.0.1", false),
  ])
  func `a prefix has its addresses`(prefix: String, address: String, isIn: Bool) throws {
    #expect(try #require(Prefix(prefix)).contains(address) == isIn)
  }

  @Test(arguments: ["", "eth0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0", "@set"])
  func `what is no prefix is none`(text: String) {
    #expect(Prefix(text) == nil)
  }
}
