/// A switch: a host of its own, whose bridge makes one network of the cables that are plugged into it.
public struct Switch: Sendable {
  let host: Host

  public init(at host: Host) async throws {
    self.host = host
    // Without multicast snooping, which must first learn who listens: a cheap switch passes on everything.
    // And without addresses: nobody answers for it.
    try await host.shell(
      """
      echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
      ip link add bridge type bridge mcast_snooping 0 && ip link set bridge up
      """)
  }

  /// Plugs a host in, by an interface that is named after the switch: `to-switch`, and `to-switch-1` for cable 1.
  ///
  /// - Parameters:
  ///   - number: its number in the network of a `Link`.
  ///   - network: the network of its addresses.
  public func join(
    _ joining: Host, number: Int, cable: Int = 0, _ addressing: Addressing = .all, network: Int = 0
  ) async throws {
    let suffix = cable == 0 ? "" : "-\(cable)"
    let (port, interface) = ("to-\(joining.name)\(suffix)", "to-\(host.name)\(suffix)")
    try await host.shell(
      """
      ip link add \(port) type veth peer name \(interface) netns \(joining.processID)
      ip link set \(port) master bridge up
      """)
    try await joining.shell(Link.configuration(of: interface, addressing, network: network, host: number))
  }

  /// Keeps a host from all others that are kept apart too, as a Wi-Fi does with its guests.
  public func isolate(_ joined: Host) async throws {
    try await host.shell("bridge link set dev to-\(joined.name) isolated on")
  }

  /// Drops what passes and a condition of nft's bridge family names.
  public func drop(_ conditions: String...) async throws {
    try await host.shell(
      "nft add table bridge lab; nft add chain bridge lab pass '{ type filter hook forward priority 0; }'")
    for condition in conditions { try await host.shell("nft add rule bridge lab pass \(condition) drop") }
  }

  /// Pulls a host's cable out of the switch, whose interface is not told but that it has no carrier.
  public func unplug(_ joined: Host) async throws { try await host.shell("ip link set to-\(joined.name) down") }

  /// Puts it back.
  public func plug(_ joined: Host) async throws { try await host.shell("ip link set to-\(joined.name) up") }
}
