import Glibc
public import NIOCore

extension SocketAddress {
  /// The address and port, in brackets and with the zone where that is due: `[fe80::1%eth0]:4000`.
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
    // One socket takes both families; an IPv4 address is mapped there (RFC 4291 §2.5.5.2), which is nothing to show.
    let mapped = "::ffff:"
    return host.hasPrefix(mapped) && host.contains(".") ? host.dropFirst(mapped.count) + port : "[\(host)]\(port)"
  }
}
