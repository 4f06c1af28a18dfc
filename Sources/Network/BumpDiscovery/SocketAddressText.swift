import Glibc
public import NIOCore

extension SocketAddress {
  /// The address and port, with brackets and the zone for IPv6: `[fe80::1%eth0]:4000`.
  public var text: String {
    let host = withSockAddr { address, length in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer -> String? in
        let status = getnameinfo(
          address, socklen_t(length), buffer.baseAddress, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
        return status == 0 ? buffer.baseAddress.map { String(cString: $0) } : nil
      }
    }
    let port = port.map { ":\($0)" } ?? ""
    guard case .v6 = self, let host else { return (host ?? "?") + port }
    // A socket for both families maps an IPv4 address into IPv6 (RFC 4291 §2.5.5.2). Show the IPv4 address.
    let mapped = "::ffff:"
    return host.hasPrefix(mapped) && host.contains(".") ? host.dropFirst(mapped.count) + port : "[\(host)]\(port)"
  }
}
