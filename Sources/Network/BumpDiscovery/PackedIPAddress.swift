package import NIOCore

extension SocketAddress {
  /// The 4 or 16 bytes of an IP address in network order.
  package var packedIPAddress: [UInt8]? {
    // The offsets in sockaddr_in and sockaddr_in6 (ip(7), ipv6(7)): NIO does not expose their fields.
    let place: Range<Int>
    switch self {
    case .v4: place = 4..<8
    case .v6: place = 8..<24
    case .unixDomainSocket: return nil
    }
    return withSockAddr { address, size in Array(UnsafeRawBufferPointer(start: address, count: size)[place]) }
  }

  /// The 4 or 16 bytes of an IP address in network order. An IPv4 address that a socket for both families maps into
  /// IPv6 (RFC 4291 §2.5.5.2) has 4 bytes.
  var unmappedIPAddress: [UInt8]? {
    guard let bytes = packedIPAddress else { return nil }
    let isMapped = bytes.count == 16 && bytes.prefix(12).elementsEqual([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
    return isMapped ? Array(bytes.suffix(4)) : bytes
  }
}
