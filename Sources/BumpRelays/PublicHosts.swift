#if Vault
  package import BumpDiscovery
  package import NIOCore

  /// The hosts of the internet that are not near: where a relay may be that a stranger has named.
  ///
  /// Who names a relay has this machine send bytes to it. So such a relay is neither on this machine nor on a network that
  /// it is on, nor at an address that means something within a network alone.
  package struct PublicHosts: Sendable {
    private let networks: LocalNetworks

    /// - Parameter networks: those that this machine is on.
    package init(besides networks: LocalNetworks) {
      self.networks = networks
    }

    package func contain(_ address: SocketAddress) -> Bool {
      guard let bytes = address.packedIPAddress else { return false }
      let isGlobal = bytes.count == 4 ? Self.isGlobal(ipv4: bytes) : Self.isGlobal(ipv6: bytes)
      return isGlobal && !networks.isOwn(bytes) && !networks.isOnLink(bytes)
    }

    /// Not of special purpose, by IANA's registry for IPv4 (RFC 6890), nor multicast or reserved.
    private static func isGlobal(ipv4 address: [UInt8]) -> Bool {
      let special: [([UInt8], Int)] = [
        ([0, 0, 0, 0], 8), ([10, 0, 0, 0], 8), ([100, 64, 0, 0], 10), ([127, 0, 0, 0], 8), ([169, 254, 0, 0], 16),
        ([172, 16, 0, 0], 12), ([192, 0, 0, 0], 24), ([192, 0, 2, 0], 24), ([192, 88, 99, 0], 24),
        ([192, 168, 0, 0], 16), ([198, 18, 0, 0], 15), ([198, 51, 100, 0], 24), ([203, 0, 113, 0], 24),
        ([224, 0, 0, 0], 3),
      ]
      return !special.contains { isIn($0.0, $0.1, address) }
    }

    /// Global unicast (RFC 4291 §2.4: 2000::/3) without what IANA's registry has in it: protocols, Teredo among them,
    /// documentation, and 6to4, which has an address of IPv4 inside.
    private static func isGlobal(ipv6 address: [UInt8]) -> Bool {
      let special: [([UInt8], Int)] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16), ([0x3F, 0xFF, 0x00], 20),
      ]
      return isIn([0x20], 3, address) && !special.contains { isIn($0.0, $0.1, address) }
    }

    /// Whether the first bits of two addresses are the same.
    private static func isIn(_ network: [UInt8], _ bits: Int, _ address: [UInt8]) -> Bool {
      (0..<bits).allSatisfy { (network[$0 / 8] ^ address[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
    }
  }

  /// Lets a connection be made to public hosts alone. What a name stands for is known here only, so no name gets around it.
  final class PublicHostsOnly: ChannelOutboundHandler {
    typealias OutboundIn = Never

    struct NotPublic: Error {}

    private let hosts: PublicHosts

    init(_ hosts: PublicHosts) { self.hosts = hosts }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
      guard hosts.contain(address) else {
        promise?.fail(NotPublic())
        return
      }
      context.connect(to: address, promise: promise)
    }
  }
#endif
