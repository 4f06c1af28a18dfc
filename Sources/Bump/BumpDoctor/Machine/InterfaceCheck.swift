/// Checks whether an interface can reach neighbours.
enum InterfaceCheck {
  /// Returns the interfaces that a bump would use: those of a network with neighbours, or the named one.
  static func candidates(_ interfaces: [Interface], named name: String?) -> [Interface] {
    guard let name else { return interfaces.filter { $0.kind == .lan && $0.isUsable } }
    return interfaces.filter { $0.name == name && $0.kind != .tunnel && $0.isUsable }
  }

  /// Judges the interfaces.
  ///
  /// - Parameters:
  ///   - name: the only interface to use; `nil` for all.
  ///   - isMulticastWanted: whether discovery is used; otherwise people exchange addresses.
  static func judge(_ interfaces: [Interface], named name: String?, isMulticastWanted: Bool) -> [Finding] {
    let relevant = interfaces.filter { name == nil || $0.name == name }
    let candidates = candidates(interfaces, named: name)
    // Beside a working interface, one without a cable is only a note: it may be the one that was meant.
    let idle = relevant.filter { !candidates.contains($0) }
    guard !candidates.isEmpty else {
      return [nobodyNear(relevant, idle: idle.filter { $0.kind == .lan }.compactMap(judge(idle:)))]
    }
    return candidates.map { judge($0, isMulticastWanted) } + idle.compactMap(judge(idle:))
  }

  private static func judge(_ interface: Interface, _ isMulticastWanted: Bool) -> Finding {
    let name = interface.name
    let addresses = interface.addresses.joined(separator: ", ")
    guard isMulticastWanted, !interface.carriesMulticast else {
      return .ok(.interfaces, "\(name) is up\(interface.carriesMulticast ? ", with multicast" : ""): \(addresses)")
    }
    return .problem(
      .interfaces, "\(name) is up (\(addresses)), but without multicast",
      cause: "its multicast flag is off, so multicast DNS does not use it",
      remedy: "sudo ip link set dev \(name) multicast on")
  }

  private static func judge(idle interface: Interface) -> Finding? {
    let name = interface.name
    switch interface.kind {
    case .tunnel where interface.isUsable:
      return .note(
        .interfaces,
        "\(name) is point-to-point, such as a VPN or a modem: no machine nearby is reached by it")
    case .lan where !interface.flags.contains(.up):
      return .note(
        .interfaces, "\(name) is down", cause: "it is switched off: `ip link` shows it without UP",
        remedy: "sudo ip link set dev \(name) up")
    case .lan where !interface.flags.contains(.running):
      return .note(.interfaces, "\(name) has no carrier", remedy: "plug its cable in, or join a Wi-Fi")
    // A port needs no address. Without ip(8), the ports of containers' bridges are known by their names, veth….
    case .lan where interface.addresses.isEmpty && !interface.isPort && !name.hasPrefix("veth"):
      return .note(
        .interfaces, "\(name) has no address", cause: "nothing gave it one: no DHCP, or IPv6 is off",
        remedy: "have the network's administrator, or your network manager, give it one")
    default:
      return nil
    }
  }

  /// - Parameter idle: why the other interfaces do not work.
  private static func nobodyNear(_ interfaces: [Interface], idle: [Finding]) -> Finding {
    let tunnels = interfaces.filter { $0.kind == .tunnel && $0.isUsable }.map(\.name)
    let reasons = idle.map(\.what).joinedInProse
    guard tunnels.isEmpty else {
      return .problem(
        .interfaces, "only \(tunnels.joinedInProse), which looks like a VPN, has an address",
        cause: "multicast DNS does not pass through it, and a neighbour does not reach its addresses"
          + (reasons.isEmpty ? "" : ". Besides, \(reasons)"),
        remedy: idle.first?.remedy
          ?? "join the network the other machine is in, or name its address: bump receive --peer HOST:PORT")
    }
    guard let first = idle.first else {
      return .problem(
        .interfaces, "no network: no interface that has neighbours is up with an address",
        cause: "no cable or Wi-Fi, or no address from it", remedy: "join the network the other machine is in")
    }
    return .problem(
      .interfaces, "no network: \(reasons)", cause: first.cause ?? "no cable or Wi-Fi is connected",
      remedy: first.remedy ?? "join the network the other machine is in")
  }
}
