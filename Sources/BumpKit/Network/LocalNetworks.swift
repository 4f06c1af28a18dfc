import BumpDiscovery
import NIOCore

/// The networks that this host is on, as they are at one moment: what tells which of a peer's addresses to try first.
struct LocalNetworks: Sendable {
  /// An address of this host, and how many of its bits name the network.
  struct Entry: Sendable {
    var address: [UInt8]
    var prefix: Int
    /// The kernel's index of the network interface.
    var interface: UInt32
  }

  /// The best first.
  enum Likelihood: Comparable, Sendable {
    /// On a network of the interface where the peer was seen: nothing stands between.
    case onLink
    /// On a network of another interface, such as a VPN's.
    case onAnotherLink
    /// Somewhere behind a router.
    case routed
    /// One of this host's own: right only where the peer is on this host. A container bridge has the same address on
    /// every host that has one.
    case own
  }

  var entries: [Entry]

  /// Those of the running system; none where it does not tell.
  static func current() -> LocalNetworks {
    let devices = (try? System.enumerateDevices()) ?? []
    return LocalNetworks(
      entries: devices.compactMap { device in
        guard
          let address = device.address?.packedIPAddress, let mask = device.netmask?.packedIPAddress
        else { return nil }
        return Entry(
          address: address, prefix: mask.reduce(0) { $0 + $1.nonzeroBitCount },
          interface: UInt32(clamping: device.interfaceIndex))
      })
  }

  func likelihood(of address: SocketAddress, seenOn interface: UInt32) -> Likelihood {
    guard let address = address.packedIPAddress else { return .routed }
    if entries.contains(where: { $0.address == address }) { return .own }
    let networks = entries.filter { $0.isOnNetwork(address) }
    if networks.contains(where: { $0.interface == interface }) { return .onLink }
    return networks.isEmpty ? .routed : .onAnotherLink
  }
}

extension LocalNetworks.Entry {
  fileprivate func isOnNetwork(_ other: [UInt8]) -> Bool {
    guard other.count == address.count else { return false }
    return zip(address, other).enumerated().allSatisfy { index, pair in
      let bits = min(max(prefix - 8 * index, 0), 8)
      return (pair.0 ^ pair.1) >> UInt8(8 - bits) == 0
    }
  }
}
