import CSystemCalls
import Glibc
import NIOCore

/// Why a socket could not be made.
struct SocketError: Error {
  /// The errno(3).
  var code: Int32
}

/// The sockets of one link.
enum LinkSocket {
  /// Returns the multicast group of a link (RFC 6762 §3), with its zone for IPv6.
  static func group(_ link: Link) throws -> SocketAddress {
    let address = link.family == .ipv4 ? "224.0.0.251" : "ff02::fb%\(link.interface)"
    return try SocketAddress(ipAddress: address, port: Int(multicastDNSPort))
  }

  /// Makes a socket that receives the group's packets on this interface, and sends from port 5353.
  ///
  /// The socket is bound to the group's address, so that it takes no unicast packets from other processes on the same
  /// port. Sent packets loop back, so that those processes receive them too (§15).
  ///
  /// - Throws: `SocketError` with `EADDRINUSE` if another process has the port and does not share it by `SO_REUSEADDR`.
  ///   `SO_REUSEPORT` is left out: of the sockets that set it, Linux passes a multicast packet to one alone, as seen with
  ///   kernel 6.18, and the sockets of the other links and processes would miss it.
  static func listening(_ link: Link, on interface: Interface) throws -> CInt {
    try make(link, on: interface) { descriptor in
      set(SOL_SOCKET, SO_REUSEADDR, to: CInt(1), of: descriptor)
      try bind(descriptor, to: group(link))
      switch link.family {
      case .ipv4:
        // Otherwise the socket receives groups that other processes have joined on other interfaces.
        set(CInt(IPPROTO_IP), Option.ipMulticastAll, to: CInt(0), of: descriptor)
        try require(set(CInt(IPPROTO_IP), IP_ADD_MEMBERSHIP, to: membership(link), of: descriptor))
      case .ipv6:
        set(CInt(IPPROTO_IPV6), Option.ipv6MulticastAll, to: CInt(0), of: descriptor)
        // ipv6_mreq of ipv6(7): the group and the index of the interface.
        let group: (UInt64, UInt64, UInt32) = (
          UInt64(0xFF02_0000_0000_0000).bigEndian, UInt64(0xFB).bigEndian, link.interface
        )
        try require(set(CInt(IPPROTO_IPV6), Option.ipv6JoinGroup, to: group, count: 20, of: descriptor))
      }
    }
  }

  /// Makes a socket that receives what is sent to one address of this host, at port 5353 (§5.5).
  ///
  /// - Throws: `SocketError` with `EADDRINUSE` if another process has the port at this address. Only one process gets a
  ///   packet by unicast, and the other was there first.
  static func direct(_ address: [UInt8], _ link: Link, on interface: Interface) throws -> CInt {
    try make(link, on: interface) { descriptor in
      guard let own = SocketAddress(address, port: multicastDNSPort, interface: link.interface) else {
        throw SocketError(code: EINVAL)
      }
      try bind(descriptor, to: own)
      // Only now, so that processes that come later can share the port.
      set(SOL_SOCKET, SO_REUSEADDR, to: CInt(1), of: descriptor)
    }
  }

  /// Makes a socket on a port of its own, for questions with unicast answers (§5.1, §6.7).
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
      // Each family has its own sockets. A hop count of 255 shows that no router forwarded the packet (§11).
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

  /// ip_mreqn of ip(7): a group, a source address, and the index of the interface.
  ///
  /// - Parameter source: the source address of sent packets; 0 for the kernel's choice.
  private static func membership(_ link: Link, _ source: UInt32 = 0) -> (UInt32, UInt32, UInt32) {
    (UInt32(0xE000_00FB).bigEndian, source, link.interface)
  }

  private static func bind(_ descriptor: CInt, to address: SocketAddress) throws {
    guard address.withSockAddr({ Glibc.bind(descriptor, $0, socklen_t($1)) }) == 0 else {
      throw SocketError(code: errno)
    }
  }

  /// - Parameter count: how many of the value's bytes to pass; its size if there is no padding.
  @discardableResult
  private static func set<Value>(
    _ level: CInt, _ name: CInt, to value: Value, count: Int = MemoryLayout<Value>.size, of descriptor: CInt
  ) -> Bool {
    withUnsafeBytes(of: value) { setsockopt(descriptor, level, name, $0.baseAddress, socklen_t(count)) == 0 }
  }

  private static func require(_ isSet: Bool) throws {
    guard isSet else { throw SocketError(code: errno) }
  }

  /// Options of ip(7) and ipv6(7) that Swift's Glibc module lacks.
  private enum Option {
    static let ipMulticastAll: CInt = 49
    static let ipv6JoinGroup: CInt = 20
    static let ipv6MulticastAll: CInt = 29
  }
}

extension Interface {
  /// The interface's address 127.x.x.x in network order, which the kernel does not choose by itself as the source of
  /// multicast; 0 if there is none.
  fileprivate var loopback: UInt32 {
    guard let bytes = addresses.first(where: { $0.family == .ipv4 && $0.bytes[0] == 127 })?.bytes else { return 0 }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
  }
}
