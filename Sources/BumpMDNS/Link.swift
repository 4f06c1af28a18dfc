/// One of the two protocols of multicast DNS: IPv4 and IPv6 are networks apart (RFC 6762 §20).
public enum Family: Hashable, Sendable, CaseIterable { case ipv4, ipv6 }

/// One protocol on one network interface.
public struct Link: Hashable, Sendable {
  /// The kernel's index.
  public var interface: UInt32
  public var family: Family

  public init(interface: UInt32, family: Family) { (self.interface, self.family) = (interface, family) }
}

/// An address of this host, and how many of its bits name the network.
public struct LocalAddress: Hashable, Sendable {
  /// 4 or 16 bytes in network order.
  public var bytes: [UInt8]
  public var prefix: Int

  public init(bytes: [UInt8], prefix: Int) { (self.bytes, self.prefix) = (bytes, prefix) }

  var family: Family { bytes.count == 4 ? .ipv4 : .ipv6 }

  /// Whether it means nothing beyond its link (RFC 3927, RFC 4291 §2.5.6).
  var isLinkLocal: Bool { Self.isLinkLocal(bytes) }

  static func isLinkLocal(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4 else { return false }
    return bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  /// Whether another address is on the network of this one.
  func isOnNetwork(_ other: [UInt8]) -> Bool {
    guard other.count == bytes.count else { return false }
    return zip(bytes, other).enumerated().allSatisfy { index, pair in
      let bits = min(max(prefix - 8 * index, 0), 8)
      return bits == 0 || (pair.0 ^ pair.1) >> UInt8(8 - bits) == 0
    }
  }
}

/// A network interface that can be used, and its addresses.
public struct Interface: Hashable, Sendable {
  /// The kernel's index.
  public var index: UInt32
  public var addresses: [LocalAddress]

  public init(index: UInt32, addresses: [LocalAddress]) { (self.index, self.addresses) = (index, addresses) }

  /// The families of which it has an address.
  var links: Set<Link> { Set(addresses.map { Link(interface: index, family: $0.family) }) }

  /// What a neighbour is told: of each family all addresses, of which the link-local ones only where it has no others.
  var published: [LocalAddress] {
    addresses.filter { address in
      !address.isLinkLocal || !addresses.contains { $0.family == address.family && !$0.isLinkLocal }
    }
  }

  /// Whether something at that address has sent it on this link (RFC 6762 §11).
  func isOnLink(_ address: [UInt8]) -> Bool {
    (address.count == 16 && LocalAddress.isLinkLocal(address)) || addresses.contains { $0.isOnNetwork(address) }
  }
}

/// A packet that came.
public struct Arrival: Sendable {
  public var bytes: [UInt8]
  /// 4 or 16 bytes of the address that it came from.
  public var source: [UInt8]
  public var port: UInt16
  public var link: Link
  /// Whether it came to the group; else to a port of ours alone.
  public var isMulticast: Bool

  public init(bytes: [UInt8], source: [UInt8], port: UInt16, link: Link, isMulticast: Bool) {
    (self.bytes, self.source, self.port) = (bytes, source, port)
    (self.link, self.isMulticast) = (link, isMulticast)
  }
}

/// A packet to be sent.
public struct Transmission: Hashable, Sendable {
  public enum Destination: Hashable, Sendable {
    /// From port 5353 to the group.
    case group
    /// From a port of our own to the group.
    case groupFromOwnPort
    /// From port 5353 to one host.
    case host([UInt8], port: UInt16)
  }

  public var bytes: [UInt8]
  public var link: Link
  public var destination: Destination

  public init(bytes: [UInt8], link: Link, destination: Destination) {
    (self.bytes, self.link, self.destination) = (bytes, link, destination)
  }
}

/// The port of multicast DNS (RFC 6762 §3).
public let multicastDNSPort: UInt16 = 5353
