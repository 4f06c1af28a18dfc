import Glibc
package import NIOCore

/// The networks that this host is on at one moment. Anybody nearby can put any address into a multicast DNS record, so
/// bump connects only to addresses on the link where the record was received.
public struct LocalNetworks: Sendable {
  /// An address of this host, and the length of its network prefix in bits.
  package struct Entry: Sendable {
    package var address: [UInt8]
    package var prefix: Int
    /// The kernel's index of the network interface.
    package var interface: UInt32
    /// Whether the interface is a point-to-point one, such as a tunnel. Discovery does not use such interfaces.
    package var isPointToPoint: Bool
    /// Whether the interface is up and has a carrier, such as a cable.
    package var hasCarrier: Bool

    package init(
      address: [UInt8], prefix: Int, interface: UInt32, isPointToPoint: Bool = false, hasCarrier: Bool = true
    ) {
      self.address = address
      self.prefix = prefix
      self.interface = interface
      self.isPointToPoint = isPointToPoint
      self.hasCarrier = hasCarrier
    }
  }

  /// The order in which addresses are tried: the lesser first.
  package enum Likelihood: Comparable, Sendable {
    /// On a network of the interface where the sender was found: no router is between.
    case onLink
    /// An address of this host: correct only if the sender is on this host.
    case own
  }

  /// The networks; `nil` if every address counts as on the link.
  package var entries: [Entry]?

  package init(entries: [Entry]?) {
    self.entries = entries
  }

  /// Returns the networks of the running system; none if it cannot list them.
  public static func current() -> LocalNetworks {
    let devices = (try? System.enumerateDevices()) ?? []
    let flags = interfaceFlags()
    return LocalNetworks(
      entries: devices.compactMap { device in
        guard
          let address = device.address?.packedIPAddress, let mask = device.netmask?.packedIPAddress
        else { return nil }
        let flags = flags[device.name] ?? 0
        return Entry(
          address: address, prefix: mask.reduce(0) { $0 + $1.nonzeroBitCount },
          interface: UInt32(clamping: device.interfaceIndex),
          isPointToPoint: flags & UInt32(IFF_POINTOPOINT) != 0, hasCarrier: flags & lowerUp != 0)
      })
  }

  /// IFF_LOWER_UP of netdevice(7), which glibc's header lacks: the interface is up and has a carrier. IFF_RUNNING follows it
  /// up to a second later.
  private static let lowerUp: UInt32 = 0x10000

  /// Returns the flags of the interfaces (netdevice(7)) by their names. NIO's devices do not have them.
  private static func interfaceFlags() -> [String: UInt32] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [:] }
    defer { freeifaddrs(list) }
    let entries = sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap { $0?.pointee }
    return Dictionary(entries.map { (String(cString: $0.ifa_name), $0.ifa_flags) }) { $0 | $1 }
  }

  /// One network with all addresses, as in memory.
  public static let everywhere = LocalNetworks(entries: nil)

  /// Returns how likely an address from a record leads to the sender that the record names.
  ///
  /// - Parameter interface: the index of the network interface on which the record was received.
  /// - Returns: `nil` for an address that must not be connected to, since it is not on that interface's link: an
  ///   address behind a router or on another link, a loopback address, or one that does not belong to one host. If the
  ///   record was received on the loopback interface, this host's own addresses are on its link.
  package func likelihood(of address: SocketAddress, seenOn interface: UInt32) -> Likelihood? {
    guard let entries else { return .onLink }
    guard let bytes = address.packedIPAddress else { return nil }
    let ours = entries.filter { $0.address == bytes }
    if entries.contains(where: { $0.interface == interface && Self.isLoopback($0.address) }) {
      return Self.isLoopback(bytes) || !ours.isEmpty ? .own : nil
    }
    guard Self.isOneHost(bytes), !Self.isLoopback(bytes) else { return nil }
    // The zone of a link-local address is its interface (RFC 4007 §6); AddressRecord sets it.
    let isLinkLocal = Self.isLinkLocal(bytes)
    if isLinkLocal, address.scope != interface { return nil }
    // A bridge for containers has the same address on every host with such a bridge.
    guard ours.isEmpty else { return ours.contains { $0.interface == interface } ? .own : nil }
    if isLinkLocal { return .onLink }
    let isOnLink = entries.contains { $0.interface == interface && $0.isNeighbour(bytes) }
    return isOnLink ? .onLink : nil
  }

  /// Returns whether an address is one of this host's.
  package func isOwn(_ address: [UInt8]) -> Bool {
    Self.isLoopback(address) || entries?.contains { $0.address == address } == true
  }

  /// Returns whether an address is one of this host's, and only on point-to-point interfaces.
  ///
  /// - Parameter local: the address of this end of a connection.
  package func isPointToPoint(_ local: SocketAddress) -> Bool {
    let interfaces = entries?.filter { $0.address == local.unmappedIPAddress } ?? []
    return !interfaces.isEmpty && interfaces.allSatisfy(\.isPointToPoint)
  }

  /// Returns whether an address is on a network of one of the interfaces.
  package func isOnLink(_ address: [UInt8]) -> Bool { entries?.contains { $0.isNeighbour(address) } ?? true }

  /// Returns the interfaces whose networks contain an address.
  func interfaces(near address: [UInt8]) -> [UInt32] {
    (entries ?? []).filter { $0.isNeighbour(address) }.map(\.interface)
  }

  /// Returns whether an address is in fe80::/10 (RFC 4291 §2.5.6).
  package static func isLinkLocal(_ address: [UInt8]) -> Bool {
    address.count == 16 && address[0] == 0xFE && address[1] & 0xC0 == 0x80
  }

  /// Returns whether an address is in 127.0.0.0/8 (RFC 1122 §3.2.1.3) or is ::1 (RFC 4291 §2.5.3).
  package static func isLoopback(_ address: [UInt8]) -> Bool {
    address.count == 4 ? address[0] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
  }

  /// Returns whether an address belongs to one host of its own family: not "this network", which connects to this host
  /// itself, not multicast, not broadcast, and not an IPv4 address inside an IPv6 address (RFC 4291 §2.5.5).
  private static func isOneHost(_ address: [UInt8]) -> Bool {
    if address.count == 4 { return address[0] != 0 && address[0] < 224 }
    return address[0] != 0xFF && !address.prefix(10).allSatisfy { $0 == 0 }
  }
}

extension LocalNetworks.Entry {
  /// Returns whether an address is that of a host on this network. The network's own address and its broadcast address
  /// (RFC 919 §7) are not, except on a network of two addresses, where both are hosts (RFC 3021).
  fileprivate func isNeighbour(_ other: [UInt8]) -> Bool {
    guard other.count == address.count else { return false }
    let hostBits = zip(address, other).enumerated().map { index, pair -> (mask: UInt8, host: UInt8)? in
      let bits = min(max(prefix - 8 * index, 0), 8)
      let mask = bits == 0 ? 0xFF : UInt8(0xFF) >> UInt8(bits)
      return (pair.0 ^ pair.1) & ~mask == 0 ? (mask, pair.1 & mask) : nil
    }
    guard !hostBits.contains(where: { $0 == nil }) else { return false }
    guard address.count == 4, prefix < 31 else { return true }
    let host = hostBits.compactMap(\.self)
    return !host.allSatisfy { $0.host == 0 } && !host.allSatisfy { $0.host == $0.mask }
  }
}

extension SocketAddress {
  /// The zone of an IPv6 address: the index of a network interface, or 0.
  package var scope: UInt32? {
    guard case .v6 = self else { return nil }
    // The field's offset in sockaddr_in6 (ipv6(7)): NIO does not expose it.
    return withSockAddr { address, _ in
      UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 24, as: UInt32.self)
    }
  }
}
