package import NIOCore

/// A host that took part in a draw of digits, as far as its address tells: each host has one.
///
/// - A neighbour: its hardware address, whichever of its IP addresses it comes from; an ordinary host has an IPv4 address,
///   a link-local and a global one. Those behind one repeater that answers ARP for them are one.
/// - IPv4 from elsewhere, or where the kernel does not know the neighbour: the address.
/// - IPv6 on a link of ours where the kernel does not know the neighbour: the address. Neighbours share the prefix, so it
///   tells none from the other.
/// - IPv6 from elsewhere: the prefix of 64 bits, which one host has to itself (RFC 6177 §2).
/// - This host is none: two processes on one machine have one address, and must be able to meet more than once. Whoever
///   runs a process here is inside already.
package struct RemoteHost: Hashable, Sendable {
  private enum Identity: Hashable {
    case hardware([UInt8])
    /// An IP address, with the interface if it is link-local.
    case address([UInt8], zone: UInt32?)
    /// The prefix of an IPv6 address.
    case prefix([UInt8])
  }

  private let identity: Identity

  /// Returns the host of an address; `nil` for this host, and for a connection that has no address.
  ///
  /// - Parameter hardwareAddress: tells the hardware address of a neighbour, by its IP address and interface.
  package init?(
    _ address: SocketAddress?, on networks: LocalNetworks,
    hardwareAddress: ([UInt8], UInt32) -> [UInt8]?
  ) {
    guard let address, let bytes = address.unmappedIPAddress, !networks.isOwn(bytes) else { return nil }
    let zone = LocalNetworks.isLinkLocal(bytes) ? address.scope : nil
    let interfaces = zone.map { [$0] } ?? networks.interfaces(near: bytes)
    if let hardware = interfaces.compactMap({ hardwareAddress(bytes, $0) }).first {
      identity = .hardware(hardware)
    } else if bytes.count == 4 || zone != nil || networks.isOnLink(bytes) {
      identity = .address(bytes, zone: zone)
    } else {
      identity = .prefix(Array(bytes.prefix(8)))
    }
  }
}
