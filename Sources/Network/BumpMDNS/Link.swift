/// An address family. Multicast DNS treats IPv4 and IPv6 as separate networks (RFC 6762 §20).
public enum Family: Hashable, Sendable, CaseIterable {
  case ipv4, ipv6

  /// The family's name, for a person.
  var name: String { self == .ipv4 ? "IPv4" : "IPv6" }
}

/// One address family on one network interface.
public struct Link: Hashable, Sendable {
  /// The kernel's index of the interface.
  public var interface: UInt32
  /// The address family.
  public var family: Family

  /// Makes a link.
  public init(interface: UInt32, family: Family) { (self.interface, self.family) = (interface, family) }
}

/// An address of this host with its prefix length.
public struct LocalAddress: Hashable, Sendable {
  /// 4 or 16 bytes in network order.
  public var bytes: [UInt8]
  /// The prefix length, in bits.
  public var prefix: Int

  /// Makes an address.
  public init(bytes: [UInt8], prefix: Int) { (self.bytes, self.prefix) = (bytes, prefix) }

  var family: Family { bytes.count == 4 ? .ipv4 : .ipv6 }

  /// Whether the address is link-local (RFC 3927, RFC 4291 §2.5.6).
  var isLinkLocal: Bool { Self.isLinkLocal(bytes) }

  static func isLinkLocal(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4 else { return false }
    return bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  /// Returns whether another address is in this one's network.
  func isOnNetwork(_ other: [UInt8]) -> Bool {
    guard other.count == bytes.count else { return false }
    return zip(bytes, other).enumerated().allSatisfy { index, pair in
      let bits = min(max(prefix - 8 * index, 0), 8)
      return bits == 0 || (pair.0 ^ pair.1) >> UInt8(8 - bits) == 0
    }
  }
}

/// A usable network interface and its addresses.
public struct Interface: Hashable, Sendable {
  /// The kernel's index.
  public var index: UInt32
  /// The addresses of this host on the interface.
  public var addresses: [LocalAddress]

  /// Makes an interface.
  public init(index: UInt32, addresses: [LocalAddress]) { (self.index, self.addresses) = (index, addresses) }

  /// The links of the families for which the interface has an address.
  var links: Set<Link> { Set(addresses.map { Link(interface: index, family: $0.family) }) }

  /// The addresses to announce: of each family all global ones, or the link-local ones if there are no others.
  var published: [LocalAddress] {
    addresses.filter { address in
      !address.isLinkLocal || !addresses.contains { $0.family == address.family && !$0.isLinkLocal }
    }
  }

  /// Returns whether a source address is on this link (RFC 6762 §11).
  func isOnLink(_ address: [UInt8]) -> Bool {
    (address.count == 16 && LocalAddress.isLinkLocal(address)) || addresses.contains { $0.isOnNetwork(address) }
  }
}

/// A received packet.
public struct ReceivedPacket: Sendable {
  /// The UDP payload.
  public var bytes: [UInt8]
  /// The source address, 4 or 16 bytes.
  public var source: [UInt8]
  /// The source port.
  public var port: UInt16
  /// The link on which the packet was received.
  public var link: Link
  /// Whether the packet was sent to the group; otherwise it was sent to an address of this host: to port 5353, or to
  /// the stack's own port.
  public var isMulticast: Bool

  /// Makes a received packet.
  public init(bytes: [UInt8], source: [UInt8], port: UInt16, link: Link, isMulticast: Bool) {
    (self.bytes, self.source, self.port) = (bytes, source, port)
    (self.link, self.isMulticast) = (link, isMulticast)
  }
}

/// A packet to send.
public struct OutgoingPacket: Hashable, Sendable {
  /// Where to send a packet, and from which port.
  public enum Destination: Hashable, Sendable {
    /// From port 5353 to the group.
    case group
    /// From the stack's own port to the group.
    case groupFromOwnPort
    /// From port 5353 to one host.
    case host([UInt8], port: UInt16)
  }

  /// The UDP payload.
  public var bytes: [UInt8]
  /// The link to send on.
  public var link: Link
  /// Where to send the packet, and from which port.
  public var destination: Destination

  /// Makes a packet to send.
  public init(bytes: [UInt8], link: Link, destination: Destination) {
    (self.bytes, self.link, self.destination) = (bytes, link, destination)
  }
}

/// The port of multicast DNS (RFC 6762 §3).
public let multicastDNSPort: UInt16 = 5353
