#if Vault
  import BumpDiscovery
  import NIOCore
  import Testing

  @testable import BumpRelays

  /// Which addresses a relay may have that a stranger has named.
  @Suite struct PublicHostsTests {
    private static let networks = LocalNetworks(entries: [
      .init(address: [9, 9, 9, 7], prefix: 24, interface: 2),
      .init(address: [0x26, 0x06, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7], prefix: 64, interface: 2),
    ])

    private func contain(_ address: String) throws -> Bool {
      PublicHosts(besides: Self.networks).contain(try SocketAddress(ipAddress: address, port: 443))
    }

    @Test(arguments: [
      "1.1.1.1", "9.9.10.7", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "223.255.255.255",
      "198.17.255.255", "198.20.0.0", "2606:4700::1111", "2606:1:0:1::7", "2001:200::1", "2a00::1", "3fff:1000::",
    ]) func `a public address may be connected to`(address: String) throws {
      #expect(try contain(address))
    }

    @Test(arguments: [
      "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.0.1", "169.254.169.254", "172.16.0.1",
      "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "203.0.113.9",
      "224.0.0.251", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::127.0.0.1",
      "64:ff9b::7f00:1", "fe80::1", "fc00::1", "fd12::1", "ff02::fb", "2001::1", "2001:db8::1", "2002:7f00:1::",
      "3fff::1",
    ]) func `an address that means something near alone is not connected to`(address: String) throws {
      #expect(try !contain(address))
    }

    @Test(arguments: ["9.9.9.7", "9.9.9.8", "2606:1::7", "2606:1::ffff"])
    func `what is on a network of this machine is near, whatever its address`(address: String) throws {
      #expect(try !contain(address))
    }
  }
#endif
