#if Vault
  package import BumpDiscovery
  package import NIOCore

  /// The public hosts of the internet outside this machine's networks. A relay that a stranger has named must be one of
  /// them.
  ///
  /// A stranger who names a relay makes this machine send bytes to it. So such a relay must not be on this machine or
  /// on one of its networks, nor at an address that has a meaning only within a network.
  package struct PublicHosts: Sendable {
    private let networks: LocalNetworks

    /// Takes the networks to leave out.
    ///
    /// - Parameter networks: the networks of this machine.
    package init(besides networks: LocalNetworks) {
      self.networks = networks
    }

    /// Returns whether an address is that of a public host.
    package func contain(_ address: SocketAddress) -> Bool {
      guard let bytes = address.packedIPAddress else { return false }
      let isGlobal = bytes.count == 4 ? Self.isGlobal(ipv4: bytes) : Self.isGlobal(ipv6: bytes)
      return isGlobal && !networks.isOwn(bytes) && !networks.isOnLink(bytes)
    }

    /// Returns whether an address is neither of special purpose, by IANA's registry for IPv4 (RFC 6890), nor multicast
    /// or reserved.
    private static func isGlobal(ipv4 address: [UInt8]) -> Bool {
      let special: [([UInt8], Int)] = [
        ([0, 0, 0, 0], 8), ([10, 0, 0, 0], 8), ([100, 64, 0, 0], 10), ([127, 0, 0, 0], 8), ([169, 254, 0, 0], 16),
        ([172, 16, 0, 0], 12), ([192, 0, 0, 0], 24), ([192, 0, 2, 0], 24), ([192, 88, 99, 0], 24),
        ([192, 168, 0, 0], 16), ([198, 18, 0, 0], 15), ([198, 51, 100, 0], 24), ([203, 0, 113, 0], 24),
        ([224, 0, 0, 0], 3),
      ]
      return !special.contains { isIn($0.0, $0.1, address) }
    }

    /// Returns whether an address is global unicast (RFC 4291 §2.4: 2000::/3), without the special ones in IANA's
    /// registry: protocols, Teredo among them, documentation, and 6to4, which has an IPv4 address inside.
    private static func isGlobal(ipv6 address: [UInt8]) -> Bool {
      let special: [([UInt8], Int)] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16), ([0x3F, 0xFF, 0x00], 20),
      ]
      return isIn([0x20], 3, address) && !special.contains { isIn($0.0, $0.1, address) }
    }

    /// Returns whether the first bits of two addresses are the same.
    private static func isIn(_ network: [UInt8], _ bits: Int, _ address: [UInt8]) -> Bool {
      (0..<bits).allSatisfy { (network[$0 / 8] ^ address[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
    }
  }

  /// Permits connections to public hosts only. It sees the addresses that a name resolves to, so no name gets around
  /// it.
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
