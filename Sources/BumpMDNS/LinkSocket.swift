import CNetlink
import Glibc
import NIOCore

/// Why a socket could not be made.
struct SocketError: Error {
  /// Of errno(3).
  var code: Int32
}

/// The sockets of one link.
enum LinkSocket {
  /// The group of a link (RFC 6762 §3), with the interface where it has one.
  static func group(_ link: Link) throws -> SocketAddress {
    let address = link.family == .ipv4 ? "224.0.0.251" : "ff02::fb%\(link.interface)"
    return try SocketAddress(ipAddress: address, port: Int(multicastDNSPort))
  }

  /// A socket that hears what is sent to the group by this interface, and sends from port 5353.
  ///
  /// It is bound to the group's address: it takes no unicast away from others on this host that have the same port. What
  /// it sends comes back, so that they hear it too (§15).
  static func listening(_ link: Link, on interface: Interface) throws -> CInt {
    try make(link, on: interface) { descriptor in
      set(SOL_SOCKET, SO_REUSEADDR, to: CInt(1), of: descriptor)
      try bind(descriptor, to: group(link))
      switch link.family {
      case .ipv4:
        // Else it hears what others on this host have joined on other interfaces.
        set(CInt(IPPROTO_IP), Option.ipMulticastAll, to: CInt(0), of: descriptor)
        try require(set(CInt(IPPROTO_IP), IP_ADD_MEMBERSHIP, to: membership(link), of: descriptor))
      case .ipv6:
        set(CInt(IPPROTO_IPV6), Option.ipv6MulticastAll, to: CInt(0), of: descriptor)
        // ipv6_mreq of ipv6(7): the group, and the index of the interface.
        let group: (UInt64, UInt64, UInt32) = (
          UInt64(0xFF02_0000_0000_0000).bigEndian, UInt64(0xFB).bigEndian, link.interface
        )
        try require(set(CInt(IPPROTO_IPV6), Option.ipv6JoinGroup, to: group, count: 20, of: descriptor))
      }
    }
  }

  /// A socket of our own, from whose port questions are asked whose answers are for us alone (§5.1, §6.7).
  static func asking(_ link: Link, on interface: Interface) throws -> CInt {
    try make(link, on: interface) { descriptor in
      try bind(descriptor, to: SocketAddress(ipAddress: link.family == .ipv4 ? "0.0.0.0" : "::", port: 0))
    }
  }

  private static func make(_ link: Link, on interface: Interface, _ prepare: (CInt) throws -> Void) throws -> CInt {
    let descriptor = socket(
      link.family == .ipv4 ? AF_INET : AF_INET6,
      Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw SocketError(code: errno) }
    do {
      // Both families have sockets of their own, and a hop count that shows that no router was between (§11).
      switch link.family {
      case .ipv4:
        set(CInt(IPPROTO_IP), IP_MULTICAST_TTL, to: CInt(255), of: descriptor)
        set(CInt(IPPROTO_IP), IP_TTL, to: CInt(255), of: descriptor)
        set(CInt(IPPROTO_IP), IP_MULTICAST_LOOP, to: CInt(1), of: descriptor)
        try require(
          set(CInt(IPPROTO_IP), IP_MULTICAST_IF, to: membership(link, interface.loopback), of: descriptor))
      case .ipv6:
        try require(set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, to: CInt(1), of: descriptor))
        set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, to: CInt(255), of: descriptor)
        set(CInt(IPPROTO_IPV6), IPV6_UNICAST_HOPS, to: CInt(255), of: descriptor)
        set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_LOOP, to: CInt(1), of: descriptor)
        try require(set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_IF, to: CInt(link.interface), of: descriptor))
      }
      try prepare(descriptor)
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// ip_mreqn of ip(7): a group, an address, and the index of the interface, which decides.
  ///
  /// - Parameter source: what is sent comes from there; 0 for the kernel's choice.
  private static func membership(_ link: Link, _ source: UInt32 = 0) -> (UInt32, UInt32, UInt32) {
    (UInt32(0xE000_00FB).bigEndian, source, link.interface)
  }

  private static func bind(_ descriptor: CInt, to address: SocketAddress) throws {
    guard address.withSockAddr({ Glibc.bind(descriptor, $0, socklen_t($1)) }) == 0 else {
      throw SocketError(code: errno)
    }
  }

  /// - Parameter count: how many of the value's bytes count; its size, where it has no padding.
  @discardableResult
  private static func set<Value>(
    _ level: CInt, _ name: CInt, to value: Value, count: Int = MemoryLayout<Value>.size, of descriptor: CInt
  ) -> Bool {
    withUnsafeBytes(of: value) { setsockopt(descriptor, level, name, $0.baseAddress, socklen_t(count)) == 0 }
  }

  private static func require(_ isSet: Bool) throws {
    guard isSet else { throw SocketError(code: errno) }
  }

  /// Of ip(7) and ipv6(7), where Swift's Glibc has them not.
  private enum Option {
    static let ipMulticastAll: CInt = 49
    static let ipv6JoinGroup: CInt = 20
    static let ipv6MulticastAll: CInt = 29
  }
}

extension Interface {
  /// Its address 127.x.x.x in network order, which the kernel does not choose by itself for what goes to a group; 0 where
  /// it has none.
  fileprivate var loopback: UInt32 {
    guard let bytes = addresses.first(where: { $0.family == .ipv4 && $0.bytes[0] == 127 })?.bytes else { return 0 }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
  }
}
