import CNIOLinux
import Glibc

/// A network interface of the kernel (netdevice(7)).
struct Interface: Hashable, Sendable {
  struct Flags: OptionSet, Hashable, Sendable {
    let rawValue: UInt32
    static let up = Flags(rawValue: 0x1)
    static let loopback = Flags(rawValue: 0x8)
    static let pointToPoint = Flags(rawValue: 0x10)
    /// The interface has a carrier.
    static let running = Flags(rawValue: 0x40)
    static let multicast = Flags(rawValue: 0x1000)
  }

  enum Kind: Hashable, Sendable {
    case loopback
    case lan
    /// A point-to-point interface: a VPN, a modem.
    case tunnel
    /// An interface that software made: a bridge of containers, a dummy.
    case software
  }

  var name: String
  var index: UInt32
  var flags: Flags
  /// The kernel's ARPHRD number of the link layer: 1 is Ethernet and Wi-Fi.
  var hardware: UInt16 = 1
  var ipv4: [String] = []
  var ipv6: [String] = []
  /// Whether the interface is a port of a bridge or bond, which then has the addresses instead.
  var isPort = false

  var addresses: [String] { ipv4 + ipv6 }
  /// Whether packets can reach a neighbour.
  var isUsable: Bool { flags.isSuperset(of: [.up, .running]) && !addresses.isEmpty }
  /// Whether multicast works. The loopback interface carries it without the flag.
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
  /// Returns all interfaces, in the kernel's order.
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
      // sockaddr_ll of packet(7), which Swift cannot import: the hardware type is at byte 8.
      case AF_PACKET:
        interfaces[index].hardware = UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 8, as: UInt16.self)
      default: break
      }
    }
    return interfaces
  }

  /// Returns all interfaces. Marks the ports of bridges and bonds if ip(8) is installed.
  static func allWithPorts() async -> [Interface] {
    var interfaces = all()
    guard let ip = Tool.path("ip"), let links = await Tool.run(ip, ["-json", "link", "show"]) else { return interfaces }
    let ports = ports(links)
    for index in interfaces.indices { interfaces[index].isPort = ports.contains(interfaces[index].name) }
    return interfaces
  }

  /// Returns the names of the interfaces that have another as their master, from the JSON of `ip link show`.
  static func ports(_ links: String) -> Set<String> {
    Set((JSON(text: links)?.elements ?? []).compactMap { $0["master"] == nil ? nil : $0["ifname"]?.string })
  }

  /// Returns the address as text, without its zone.
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
