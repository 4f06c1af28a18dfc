/// Which addresses the two ends of a cable have.
public enum Addressing: Sendable, CaseIterable, CustomStringConvertible {
  /// IPv4, a global IPv6 address and a link-local one.
  case all
  case ipv4
  /// A global IPv6 address, beside the link-local one that every interface has (RFC 4291 §2.8).
  case ipv6
  case linkLocal

  public var description: String {
    switch self {
    case .all: "IPv4 and IPv6"
    case .ipv4: "IPv4 only"
    case .ipv6: "IPv6 only"
    case .linkLocal: "IPv6 link-local addresses only"
    }
  }
}

/// A cable between two hosts.
public struct Link: Sendable {
  let ends: [(host: Host, interface: String, configuration: String)]

  /// Each end is named after the host at the other: `to-bob`, and `to-bob-1` in network 1.
  ///
  /// - Parameter number: picks the network, 10.77.NUMBER.0/24 and fd77:NUMBER::/64, where the first host is 1, the second 2.
  public static func join(
    _ first: Host, _ second: Host, _ addressing: Addressing = .all, number: Int = 0
  ) async throws -> Link {
    let suffix = number == 0 ? "" : "-\(number)"
    let (near, far) = ("to-\(second.name)\(suffix)", "to-\(first.name)\(suffix)")
    let link = Link(ends: [
      (first, near, configuration(of: near, addressing, network: number, host: 1)),
      (second, far, configuration(of: far, addressing, network: number, host: 2)),
    ])
    try await first.shell("ip link add \(near) type veth peer name \(far) netns \(second.processID)")
    for end in link.ends { try await end.host.shell(end.configuration) }
    return link
  }

  /// The interface of a host at this cable.
  public func interface(of host: Host) -> String? {
    ends.first { $0.host === host }?.interface
  }

  /// The IPv4 address of a host at this cable.
  public static func ipv4(network: Int = 0, host: Int) -> String { "10.77.\(network).\(host)" }

  /// Pulls the plug out of a host.
  public func unplug(_ host: Host) async throws {
    for end in ends where end.host === host { try await host.shell("ip link set \(end.interface) down") }
  }

  /// Puts the plug back into a host, which then has the addresses that it had at first.
  public func plug(_ host: Host) async throws {
    for end in ends where end.host === host { try await host.shell(end.configuration) }
  }

  /// Takes it away, and both interfaces with it.
  public func remove() async throws {
    try await ends[0].host.shell("ip link del \(ends[0].interface)")
  }

  /// Has both ends lose so many of a hundred packets that arrive, at random.
  public func lose(percent: Int) async throws {
    for end in ends {
      try await end.host.shell(
        """
        nft add table inet lab
        nft add chain inet lab input '{ type filter hook input priority 0; }'
        nft add rule inet lab input iifname \(end.interface) numgen random mod 100 '<' \(percent) counter drop
        """)
    }
  }

  /// Has a host receive no more than so many bytes of TCP from now on.
  public func cut(_ host: Host, afterKilobytes count: Int) async throws {
    for end in ends where end.host === host {
      try await host.shell(
        """
        nft add table inet cut
        nft add chain inet cut input '{ type filter hook input priority 0; }'
        nft add rule inet cut input iifname \(end.interface) meta l4proto tcp quota over \(count) kbytes drop
        """)
    }
  }

  /// Takes back what `cut` did.
  public func mend(_ host: Host) async throws { try await host.shell("nft delete table inet cut") }

  /// How many packets both ends have lost so far, once `lose` has begun.
  public func lost() async throws -> Int {
    var count = 0
    for end in ends {
      let rules = try await end.host.shell("nft list chain inet lab input").standardOutput
      for match in rules.matches(of: /counter packets (\d+)/) { count += Int(match.1) ?? 0 }
    }
    return count
  }

  /// The link-local address is given, not generated, so that it is there when the script ends. May run again: of an
  /// interface that was down the IPv4 addresses are still there.
  static func configuration(of interface: String, _ addressing: Addressing, network: Int, host: Int) -> String {
    var script = "ip link set \(interface) addrgenmode none up\n"
    if addressing == .all || addressing == .ipv4 {
      script += "ip address replace \(ipv4(network: network, host: host))/24 dev \(interface)\n"
    }
    if addressing == .all || addressing == .ipv6 {
      script += "ip address replace fd77:\(network)::\(host)/64 dev \(interface) nodad\n"
    }
    if addressing != .ipv4 {
      script += "ip address replace fe80::\(network):\(host)/64 dev \(interface) nodad\n"
    }
    return script
  }
}
