package import NIOCore

/// A host that took part in a draw of digits, as far as its address tells: each host has one.
///
/// - IPv4, and IPv6 on a link of ours: the address. Neighbours share the prefix, so it tells none from the other.
/// - IPv6 from elsewhere: the prefix of 64 bits, which one host has to itself (RFC 6177 §2).
/// - This host is none: two processes on one machine have one address, and must be able to meet more than once. Whoever
///   runs a process here is inside already.
package struct RemoteHost: Hashable, Sendable {
  private let address: [UInt8]
  /// The interface, for a link-local address.
  private let zone: UInt32?

  /// `nil` for this host, and for a connection that has no address.
  package init?(_ address: SocketAddress?, on networks: LocalNetworks) {
    guard let address, var bytes = address.packedIPAddress else { return nil }
    // One socket takes both families; an IPv4 address is mapped there (RFC 4291 §2.5.5.2).
    if bytes.count == 16, bytes.prefix(12).elementsEqual([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) {
      bytes.removeFirst(12)
    }
    guard !networks.isOwn(bytes) else { return nil }
    let isLinkLocal = LocalNetworks.isLinkLocal(bytes)
    let isNear = bytes.count == 4 || isLinkLocal || networks.isOnLink(bytes)
    self.address = isNear ? bytes : Array(bytes.prefix(8))
    zone = isLinkLocal ? address.scope : nil
  }
}
