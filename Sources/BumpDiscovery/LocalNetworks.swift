import Glibc
package import NIOCore

/// The networks that this host is on, as they are at one moment. Anybody nearby can put any address into a record of
/// multicast DNS: only those on the link where the record was heard are connected to.
public struct LocalNetworks: Sendable {
  /// An address of this host, and how many of its bits name the network.
  package struct Entry: Sendable {
    package var address: [UInt8]
    package var prefix: Int
    /// The kernel's index of the network interface.
    package var interface: UInt32
    /// Whether the interface is a point-to-point one, such as a tunnel: discovery uses none of those.
    package var isPointToPoint: Bool

    package init(address: [UInt8], prefix: Int, interface: UInt32, isPointToPoint: Bool = false) {
      self.address = address
      self.prefix = prefix
      self.interface = interface
      self.isPointToPoint = isPointToPoint
    }
  }

  /// Which addresses to try first: the lesser.
  package enum Likelihood: Comparable, Sendable {
    /// On a network of the interface where the sender was seen: nothing stands between.
    case onLink
    /// One of this host's own: right only where the sender is on this host.
    case own
  }

  /// `nil` where every address is on the link.
  package var entries: [Entry]?

  package init(entries: [Entry]?) {
    self.entries = entries
  }

  /// The networks of the running system; none where it does not tell.
  public static func current() -> LocalNetworks {
    let devices = (try? System.enumerateDevices()) ?? []
    let pointToPoint = pointToPointInterfaces()
    return LocalNetworks(
      entries: devices.compactMap { device in
        guard
          let address = device.address?.packedIPAddress, let mask = device.netmask?.packedIPAddress
        else { return nil }
        return Entry(
          address: address, prefix: mask.reduce(0) { $0 + $1.nonzeroBitCount },
          interface: UInt32(clamping: device.interfaceIndex), isPointToPoint: pointToPoint.contains(device.name))
      })
  }

  /// The names of the interfaces with IFF_POINTOPOINT (netdevice(7)), which NIO's devices do not have.
  private static func pointToPointInterfaces() -> Set<String> {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    let entries = sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap { $0?.pointee }
    let flag = UInt32(IFF_POINTOPOINT)
    return Set(entries.filter { $0.ifa_flags & flag != 0 }.map { String(cString: $0.ifa_name) })
  }

  /// One network of everybody, as that of a `Transport` in memory is.
  public static let everywhere = LocalNetworks(entries: nil)

  /// Returns how likely an address of a record leads to the sender that it names.
  ///
  /// - Parameter interface: the index of the network interface where the record was heard.
  /// - Returns: `nil` for an address that must not be connected to, since it is not on that interface's link: behind a
  ///   router, on another link, a loopback address or one that is not one host's. Where the record was heard on the
  ///   loopback interface, this host's own addresses are on its link.
  package func likelihood(of address: SocketAddress, seenOn interface: UInt32) -> Likelihood? {
    guard let entries else { return .onLink }
    guard let bytes = address.packedIPAddress else { return nil }
    let ours = entries.filter { $0.address == bytes }
    if entries.contains(where: { $0.interface == interface && Self.isLoopback($0.address) }) {
      return Self.isLoopback(bytes) || !ours.isEmpty ? .own : nil
    }
    guard Self.isOneHost(bytes), !Self.isLoopback(bytes) else { return nil }
    // The zone is the interface of a link-local address (RFC 4007 §6); AddressRecord sets it.
    let isLinkLocal = Self.isLinkLocal(bytes)
    if isLinkLocal, address.scope != interface { return nil }
    // A bridge for containers has the same address on every host that has one.
    guard ours.isEmpty else { return ours.contains { $0.interface == interface } ? .own : nil }
    if isLinkLocal { return .onLink }
    let isOnLink = entries.contains { $0.interface == interface && $0.isNeighbour(bytes) }
    return isOnLink ? .onLink : nil
  }

  /// Whether an address is one of this host's.
  package func isOwn(_ address: [UInt8]) -> Bool {
    Self.isLoopback(address) || entries?.contains { $0.address == address } == true
  }

  /// Whether an address is one of this host's on point-to-point interfaces alone.
  ///
  /// - Parameter local: the address of this end of a connection.
  package func isPointToPoint(_ local: SocketAddress) -> Bool {
    let interfaces = entries?.filter { $0.address == local.unmappedIPAddress } ?? []
    return !interfaces.isEmpty && interfaces.allSatisfy(\.isPointToPoint)
  }

  /// Whether an address is on a network of one of the interfaces.
  package func isOnLink(_ address: [UInt8]) -> Bool { entries?.contains { $0.isNeighbour(address) } ?? true }

  /// The interfaces on whose networks an address is.
  func interfaces(near address: [UInt8]) -> [UInt32] {
    (entries ?? []).filter { $0.isNeighbour(address) }.map(\.interface)
  }

  /// fe80::/10 (RFC 4291 §2.5.6).
  package static func isLinkLocal(_ address: [UInt8]) -> Bool {
    address.count == 16 && address[0] == 0xFE && address[1] & 0xC0 == 0x80
  }

  /// 127.0.0.0/8 (RFC 1122 §3.2.1.3) and ::1 (RFC 4291 §2.5.3).
  private static func isLoopback(_ address: [UInt8]) -> Bool {
    address.count == 4 ? address[0] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
  }

  /// Whether it names one host by its own family: not "this network", which connects to this host itself, not multicast,
  /// not broadcast, and no IPv4 address inside an IPv6 address (RFC 4291 §2.5.5).
  private static func isOneHost(_ address: [UInt8]) -> Bool {
    if address.count == 4 { return address[0] != 0 && address[0] < 224 }
    return address[0] != 0xFF && !address.prefix(10).allSatisfy { $0 == 0 }
  }
}

extension LocalNetworks.Entry {
  /// Whether it is the address of a host on this network, neither the network's own nor its broadcast address
  /// (RFC 919 §7), which are addresses of hosts where a network has two only (RFC 3021).
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
    // Where sockaddr_in6 has it (ipv6(7)); its own fields are a module of NIO's.
    return withSockAddr { address, _ in
      UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 24, as: UInt32.self)
    }
  }
}
