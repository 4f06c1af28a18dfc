import BumpDiscovery
import NIOCore
import Testing

@testable import BumpTerminal

@Suite struct OwnAddressTests {
  private func entry(
    _ address: String, tunnel: Bool = false, carrier: Bool = true
  ) throws -> LocalNetworks.Entry {
    let bytes = try #require(try SocketAddress(ipAddress: address, port: 0).packedIPAddress)
    return LocalNetworks.Entry(address: bytes, prefix: 24, interface: 2, isPointToPoint: tunnel, hasCarrier: carrier)
  }

  private func best(_ entries: [LocalNetworks.Entry]) -> String? {
    OwnAddress.current(on: nil, of: LocalNetworks(entries: entries)).map { "\($0.text) \($0.scope)" }
  }

  /// Each is better than all those behind it.
  private static let order: [(address: String, isTunnel: Bool, shown: String)] = [
    ("192.0.2.7", false, "192.0.2.7 network"),
    ("2001:db8::7", false, "[2001:db8::7] network"),
    ("fe80::7", false, "[fe80::7%INTERFACE] link"),
    ("198.51.100.7", true, "198.51.100.7 tunnel"),
    ("2001:db8:1::7", true, "[2001:db8:1::7] tunnel"),
    ("127.0.0.1", false, "127.0.0.1 loopback"),
    ("::1", false, "[::1] loopback"),
  ]

  @Test(arguments: order.indices)
  func `the address to type is that of a network, else of a link, else of a tunnel`(index: Int) throws {
    let entries = try Self.order[index...].map { try entry($0.address, tunnel: $0.isTunnel) }
    #expect(best(entries) == Self.order[index].shown)
    #expect(best(entries.reversed()) == Self.order[index].shown)
  }

  @Test func `the address of an interface whose cable is out is none to type`() throws {
    let unplugged = try entry("192.0.2.7", carrier: false)
    #expect(best([unplugged]) == nil)
    #expect(best([unplugged, try entry("127.0.0.1")]) == "127.0.0.1 loopback")
    #expect(best([unplugged, try entry("198.51.100.7")]) == "198.51.100.7 network")
  }

  @Test func `a machine without any address has none to type`() {
    #expect(best([]) == nil)
  }
}
