import Glibc

/// An address of this host on one network interface.
struct HostAddress: Hashable {
  /// 4 or 16 bytes in network order.
  var bytes: [UInt8]
  var interface: UInt32

  /// Whether it means nothing beyond its link (RFC 4291 §2.5.6, RFC 3927).
  private var isLinkLocal: Bool {
    bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  /// What a peer on the same link is told, at this moment: of each interface that is up its addresses, of which the
  /// link-local ones only where it has no others of the family, as avahi-daemon does it.
  static func toBePublished() -> Set<HostAddress> {
    let all = current()
    return all.filter { address in
      !address.isLinkLocal
        || !all.contains {
          $0.interface == address.interface && $0.bytes.count == address.bytes.count && !$0.isLinkLocal
        }
    }
  }

  private static func current() -> Set<HostAddress> {
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
