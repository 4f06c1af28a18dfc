/// Whether a neighbour can be reached at all.
enum InterfaceCheck {
  /// The interfaces a bump would use: those of a network with neighbours, or the one that was named.
  static func candidates(_ interfaces: [Interface], named name: String?) -> [Interface] {
    guard let name else { return interfaces.filter { $0.kind == .lan && $0.isUsable } }
    return interfaces.filter { $0.name == name && $0.kind != .tunnel && $0.isUsable }
  }

  /// - Parameters:
  ///   - name: the one interface to use, where there is one.
  ///   - isMulticastWanted: whether peers are looked for; otherwise their addresses are told.
  static func judge(_ interfaces: [Interface], named name: String?, isMulticastWanted: Bool) -> [Finding] {
    let relevant = interfaces.filter { name == nil || $0.name == name }
    let candidates = candidates(interfaces, named: name)
    // One that waits for its cable is no news where another serves, but may be the one that was meant.
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
      cause: "its multicast flag is off, so multicast DNS leaves it alone",
      mend: "sudo ip link set dev \(name) multicast on")
  }

  private static func judge(idle interface: Interface) -> Finding? {
    let name = interface.name
    switch interface.kind {
    case .tunnel where interface.isUsable:
      return .note(
        .interfaces,
        "\(name) is point-to-point, as a VPN's or a modem's: nobody nearby is behind it")
    case .lan where !interface.flags.contains(.up):
      return .note(.interfaces, "\(name) is down", mend: "sudo ip link set dev \(name) up")
    case .lan where !interface.flags.contains(.running):
      return .note(.interfaces, "\(name) has no carrier", mend: "plug its cable in, or join a Wi-Fi")
    // The ports of bridges have none, and are named so.
    case .lan where interface.addresses.isEmpty && !name.hasPrefix("veth"):
      return .note(
        .interfaces, "\(name) has no address", cause: "nothing gave it one: no DHCP, or IPv6 is off",
        mend: "have the network's administrator, or your network manager, give it one")
    default:
      return nil
    }
  }

  /// - Parameter idle: what keeps the interfaces that would serve from it.
  private static func nobodyNear(_ interfaces: [Interface], idle: [Finding]) -> Finding {
    let tunnels = interfaces.filter { $0.kind == .tunnel && $0.isUsable }.map(\.name)
    let reasons = idle.map(\.what).joinedInProse
    guard tunnels.isEmpty else {
      return .problem(
        .interfaces, "only \(tunnels.joinedInProse), as of a VPN, has an address",
        cause: "multicast DNS does not pass through it, and a neighbour does not reach its addresses"
          + (reasons.isEmpty ? "" : "; \(reasons)"),
        mend: idle.first?.mend
          ?? "join the network the other machine is in, or name its address: bump receive --peer HOST:PORT")
    }
    guard let first = idle.first else {
      return .problem(
        .interfaces, "no network: no interface that has neighbours is up with an address",
        cause: "no cable or Wi-Fi, or no address from it", mend: "join the network the other machine is in")
    }
    return .problem(
      .interfaces, "no network: \(reasons)", cause: first.cause ?? "no cable or Wi-Fi is connected",
      mend: first.mend ?? "join the network the other machine is in")
  }
}
