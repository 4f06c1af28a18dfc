/// A switch: a host of its own, whose bridge makes one network of the cables that are plugged into it.
public struct Switch: Sendable {
  let host: Host

  public init(at host: Host) async throws {
    self.host = host
    // Without multicast snooping, which must first learn who listens: a cheap switch passes on everything.
    try await host.shell("ip link add bridge type bridge mcast_snooping 0 && ip link set bridge up")
  }

  /// Plugs a host in, by an interface that is named after the switch: `to-switch`, and `to-switch-1` for cable 1.
  ///
  /// - Parameter number: its number in network 0 of a `Link`.
  public func join(_ joining: Host, number: Int, cable: Int = 0) async throws {
    let suffix = cable == 0 ? "" : "-\(cable)"
    let (port, interface) = ("to-\(joining.name)\(suffix)", "to-\(host.name)\(suffix)")
    try await host.shell(
      """
      ip link add \(port) type veth peer name \(interface) netns \(joining.processID)
      ip link set \(port) master bridge up
      """)
    try await joining.shell(Link.configuration(of: interface, .all, network: 0, host: number))
  }

  /// Pulls a host's cable out of the switch, whose interface is not told but that it has no carrier.
  public func unplug(_ joined: Host) async throws { try await host.shell("ip link set to-\(joined.name) down") }

  /// Puts it back.
  public func plug(_ joined: Host) async throws { try await host.shell("ip link set to-\(joined.name) up") }
}
