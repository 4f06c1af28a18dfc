import NIOCore
import Testing

@testable import BumpDiscovery

@Suite struct LocalNetworksTests {
  /// lo on interface 1; 192.0.2.1/24, 2001:db8:2::1/64 and fe80::1/64 on 2; a VPN's 10.8.0.6/30 on 3; a container
  /// bridge's 172.17.0.1/16 on 4; the two ends of 198.51.100.0/31 on 5; on 6 192.0.2.9/24 of the same network as on 2.
  private let networks = LocalNetworks(entries: [
    .init(address: [127, 0, 0, 1], prefix: 8, interface: 1),
    .init(address: Array(repeating: 0, count: 15) + [1], prefix: 128, interface: 1),
    .init(address: [192, 0, 2, 1], prefix: 24, interface: 2),
    .init(address: [0x20, 0x01, 0x0D, 0xB8, 0, 2] + Array(repeating: 0, count: 9) + [1], prefix: 64, interface: 2),
    .init(address: [0xFE, 0x80] + Array(repeating: 0, count: 13) + [1], prefix: 64, interface: 2),
    .init(address: [10, 8, 0, 6], prefix: 30, interface: 3, isPointToPoint: true),
    .init(address: [172, 17, 0, 1], prefix: 16, interface: 4),
    .init(address: [198, 51, 100, 0], prefix: 31, interface: 5),
    .init(address: [192, 0, 2, 9], prefix: 24, interface: 6),
  ])

  private func likelihood(_ address: String, seenOn interface: UInt32) throws -> LocalNetworks.Likelihood? {
    networks.likelihood(of: try SocketAddress(ipAddress: address, port: 1), seenOn: interface)
  }

  @Test(arguments: [
    ("192.0.2.77", UInt32(2)), ("192.0.2.77", 6), ("2001:db8:2::77", 2), ("10.8.0.5", 3), ("172.17.0.2", 4),
    ("198.51.100.1", 5),
  ])
  func `an address on a network of the interface where it was heard is tried`(address: String, interface: UInt32) throws
  {
    #expect(try likelihood(address, seenOn: interface) == .onLink)
  }

  @Test(arguments: ["192.0.2.1", "2001:db8:2::1"])
  func `an address of this host's own is tried after those of others`(address: String) throws {
    #expect(try likelihood(address, seenOn: 2) == .own)
    #expect(LocalNetworks.Likelihood.onLink < .own)
  }

  @Test(arguments: [
    // Beyond a router, on another link, of this host on another link.
    "192.0.3.1", "203.0.113.7", "2001:db8:3::1", "2001:db8::1", "10.8.0.5", "10.8.0.6", "172.17.0.1", "172.17.0.2",
    "192.0.2.9",
    // This host itself, in every spelling.
    "127.0.0.1", "127.8.8.8", "127.255.255.255", "::1", "0.0.0.0", "0.1.2.3", "::", "::ffff:127.0.0.1",
    // IPv4 inside IPv6, even of a neighbour.
    "::ffff:192.0.2.77", "::192.0.2.77", "::2", "64:ff9b::127.0.0.1",
    // Not one host's.
    "192.0.2.255", "192.0.2.0", "255.255.255.255", "240.0.0.1", "224.0.0.251", "239.1.2.3", "ff02::1", "ff02::fb",
  ])
  func `an address that is not a neighbour's is never tried`(address: String) throws {
    #expect(try likelihood(address, seenOn: 2) == nil)
  }

  @Test(arguments: [
    ("10.8.0.6", true), ("::ffff:10.8.0.6", true), ("192.0.2.1", false), ("::ffff:192.0.2.1", false),
    ("fe80::1", false), ("127.0.0.1", false), ("203.0.113.7", false),
  ])
  func `an address of this host's own is a tunnel's where no other interface has it`(address: String, isTunnel: Bool)
    throws
  {
    let local = try SocketAddress(ipAddress: address, port: 1)
    #expect(networks.isPointToPoint(local) == isTunnel)
    let other = LocalNetworks.Entry(address: [10, 8, 0, 6], prefix: 24, interface: 7)
    #expect(!LocalNetworks(entries: (networks.entries ?? []) + [other]).isPointToPoint(local))
    #expect(!LocalNetworks.everywhere.isPointToPoint(local))
  }

  @Test func `a link-local address is tried in the zone where it was heard`() throws {
    let loopback = LocalNetworks.current().interface(of: [127, 0, 0, 1])
    // A zone must be that of an interface that is there.
    let index = try #require(loopback)
    let there = LocalNetworks(entries: [
      .init(address: [0xFE, 0x80] + Array(repeating: 0, count: 13) + [1], prefix: 64, interface: index)
    ])
    let (other, own) = try (zoned("fe80::2", index), zoned("fe80::1", index))
    #expect(there.likelihood(of: other, seenOn: index) == .onLink)
    #expect(there.likelihood(of: own, seenOn: index) == .own)
    #expect(there.likelihood(of: other, seenOn: index + 1) == nil)
    #expect(there.likelihood(of: try SocketAddress(ipAddress: "fe80::2", port: 1), seenOn: index) == nil)
  }

  private func zoned(_ address: String, _ index: UInt32) throws -> SocketAddress {
    try SocketAddress(ipAddress: "\(address)%\(index)", port: 1)
  }

  @Test(arguments: ["127.0.0.1", "127.8.8.8", "::1", "192.0.2.1", "172.17.0.1"])
  func `on the loopback interface this host's own addresses are heard, and tried`(address: String) throws {
    #expect(try likelihood(address, seenOn: 1) == .own)
  }

  @Test(arguments: ["192.0.2.77", "203.0.113.7", "0.0.0.0", "::", "224.0.0.251", "::ffff:127.0.0.1", "2001:db8:2::77"])
  func `on the loopback interface nobody else is tried`(address: String) throws {
    #expect(try likelihood(address, seenOn: 1) == nil)
  }

  @Test func `on an interface without addresses nobody is tried, and in memory everybody`() throws {
    #expect(try likelihood("192.0.2.77", seenOn: 7) == nil)
    #expect(try likelihood("127.0.0.1", seenOn: 7) == nil)
    let address = try SocketAddress(ipAddress: "203.0.113.7", port: 1)
    #expect(LocalNetworks.everywhere.likelihood(of: address, seenOn: 7) == .onLink)
  }

  @Test func `the loopback network of the running system is known`() throws {
    let networks = LocalNetworks.current()
    let index = try #require(networks.interface(of: [127, 0, 0, 1]))
    let loopback = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
    #expect(networks.likelihood(of: loopback, seenOn: index) == .own)
    #expect(networks.likelihood(of: loopback, seenOn: index + 1) == nil)
  }
}

extension LocalNetworks {
  fileprivate func interface(of address: [UInt8]) -> UInt32? { entries?.first { $0.address == address }?.interface }
}
