import Glibc

/// An address of this host on one network interface.
struct HostAddress: Hashable {
  /// 4 or 16 bytes in network order.
  var bytes: [UInt8]
  var interface: UInt32

  /// Those of all interfaces that are up, at this moment.
  static func current() -> Set<HostAddress> {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    let entries = sequence(first: list) { $0?.pointee.ifa_next }.prefix { $0 != nil }.compactMap { $0?.pointee }
    return Set(entries.compactMap(HostAddress.init))
  }

  private init?(_ entry: ifaddrs) {
    guard entry.ifa_flags & UInt32(IFF_UP) != 0, let address = entry.ifa_addr else { return nil }
    // Where sockaddr_in and sockaddr_in6 have it (ip(7), ipv6(7)).
    switch Int32(address.pointee.sa_family) {
    case AF_INET: bytes = Array(UnsafeRawBufferPointer(start: address, count: 8)[4..<8])
    case AF_INET6: bytes = Array(UnsafeRawBufferPointer(start: address, count: 24)[8..<24])
    default: return nil
    }
    interface = if_nametoindex(entry.ifa_name)
  }
}
