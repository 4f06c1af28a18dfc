import Glibc

/// A network interface as the kernel has it (netdevice(7)).
struct Interface: Hashable, Sendable {
  struct Flags: OptionSet, Hashable, Sendable {
    let rawValue: UInt32
    static let up = Flags(rawValue: 0x1)
    static let loopback = Flags(rawValue: 0x8)
    static let pointToPoint = Flags(rawValue: 0x10)
    /// There is a carrier.
    static let running = Flags(rawValue: 0x40)
    static let multicast = Flags(rawValue: 0x1000)
  }

  enum Kind: Hashable, Sendable {
    case loopback
    case lan
    /// It has one other end: a VPN's, a modem's.
    case tunnel
    /// Made by software for itself: a bridge for its containers, a dummy.
    case software
  }

  var name: String
  var index: UInt32
  var flags: Flags
  /// The kernel's ARPHRD number of what the interface speaks: 1 is Ethernet, and Wi-Fi.
  var hardware: UInt16 = 1
  var ipv4: [String] = []
  var ipv6: [String] = []

  var addresses: [String] { ipv4 + ipv6 }
  /// Whether packets may pass to a neighbour.
  var isUsable: Bool { flags.isSuperset(of: [.up, .running]) && !addresses.isEmpty }
  /// The loopback interface does without saying so.
  var carriesMulticast: Bool { flags.contains(.multicast) || kind == .loopback }

  var kind: Kind {
    if flags.contains(.loopback) { return .loopback }
    if flags.contains(.pointToPoint) || Self.tunnels.contains(hardware) { return .tunnel }
    return Self.software.contains(where: name.hasPrefix) ? .software : .lan
  }

  /// ARPHRD_PPP, _TUNNEL, _TUNNEL6, _SIT, _IPGRE, _IP6GRE, and _NONE, which WireGuard and tun devices have.
  private static let tunnels: Set<UInt16> = [512, 768, 769, 776, 778, 823, 65534]
  private static let software = [
    "docker", "br-", "cni", "podman", "virbr", "lxcbr", "lxdbr", "flannel", "cali", "ifb", "dummy", "gretap", "erspan",
  ]
}

extension Interface {
  /// All interfaces, in the kernel's order.
  static func all() -> [Interface] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var interfaces: [Interface] = []
    for entry in sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap(\.self) {
      let name = String(cString: entry.pointee.ifa_name)
      let flags = Flags(rawValue: entry.pointee.ifa_flags)
      let known = interfaces.firstIndex { $0.name == name }
      let index = known ?? interfaces.endIndex
      if known == nil { interfaces.append(Interface(name: name, index: if_nametoindex(name), flags: flags)) }
      guard let address = entry.pointee.ifa_addr else { continue }
      switch Int32(address.pointee.sa_family) {
      case AF_INET: interfaces[index].ipv4 += text(of: address, MemoryLayout<sockaddr_in>.size)
      case AF_INET6: interfaces[index].ipv6 += text(of: address, MemoryLayout<sockaddr_in6>.size)
      // sockaddr_ll of packet(7), which Swift does not see: family, protocol, index, and at its byte 8 the hardware.
      case AF_PACKET:
        interfaces[index].hardware = UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 8, as: UInt16.self)
      default: break
      }
    }
    return interfaces
  }

  /// The address as text, without its zone, which is the interface.
  private static func text(of address: UnsafePointer<sockaddr>, _ length: Int) -> [String] {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
      guard
        let start = buffer.baseAddress,
        getnameinfo(address, socklen_t(length), start, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0
      else { return [] }
      return [String(String(cString: start).prefix { $0 != "%" })]
    }
  }
}
