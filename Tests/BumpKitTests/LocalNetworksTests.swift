import NIOCore
import Testing

@testable import BumpKit

@Suite struct LocalNetworksTests {
  /// 192.0.2.1/24 and fe80::1/64 on interface 2, a VPN's 10.8.0.6/30 on 3, a container bridge's 172.17.0.1/16 on 4.
  private let networks = LocalNetworks(entries: [
    .init(address: [192, 0, 2, 1], prefix: 24, interface: 2),
    .init(address: [0xFE, 0x80] + Array(repeating: 0, count: 13) + [1], prefix: 64, interface: 2),
    .init(address: [10, 8, 0, 6], prefix: 30, interface: 3),
    .init(address: [172, 17, 0, 1], prefix: 16, interface: 4),
  ])

  @Test(arguments: [
    ("192.0.2.77", LocalNetworks.Likelihood.onLink), ("fe80::2", .onLink), ("10.8.0.5", .onAnotherLink),
    ("10.8.0.9", .routed), ("192.0.3.1", .routed), ("2001:db8::1", .routed), ("172.17.0.1", .own), ("192.0.2.1", .own),
  ])
  func `what is on the network where the peer was seen comes first, and this host's own last`(
    address: String, likelihood: LocalNetworks.Likelihood
  ) throws {
    #expect(networks.likelihood(of: try SocketAddress(ipAddress: address, port: 1), seenOn: 2) == likelihood)
  }

  @Test func `this host's own loopback network is known`() throws {
    let loopback = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
    #expect(LocalNetworks.current().likelihood(of: loopback, seenOn: 1) == .own)
  }
}
