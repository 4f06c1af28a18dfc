package import NIOCore

/// The identity of a host for counting draws of digits: each host has one draw. It depends on the host's address:
///
/// - A neighbour is identified by its hardware address, from whichever of its IP addresses it connects: an ordinary
///   host has an IPv4 address, a link-local and a global one. Hosts behind a repeater that answers ARP for them count
///   as one.
/// - An IPv4 host elsewhere, or a neighbour that the kernel does not know, is identified by its address.
/// - An IPv6 host on a link of this host that the kernel does not know is identified by its address: its prefix is
///   shared by all neighbours.
/// - An IPv6 host elsewhere is identified by its prefix of 64 bits, which one host has to itself (RFC 6177 §2).
/// - This host has no identity: two processes on one machine have one address, and must be able to meet more than once.
///   An attacker that runs a process here has access already.
package struct RemoteHost: Hashable, Sendable {
  private enum Identity: Hashable {
    case hardware([UInt8])
    /// An IP address, with the interface if it is link-local.
    case address([UInt8], zone: UInt32?)
    /// The prefix of an IPv6 address.
    case prefix([UInt8])
  }

  private let identity: Identity

  /// Returns the host of an address; `nil` for this host, or a connection without an address.
  ///
  /// - Parameter hardwareAddress: returns the hardware address of a neighbour with this IP address on this interface.
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
