import NIOCore
import Testing

@testable import BumpDNSSD

@Suite struct AddressRecordTests {
  private func address(_ type: AddressRecord.RecordType, _ bytes: [UInt8]) -> SocketAddress? {
    AddressRecord(bytes: bytes, interface: 7).address(type, port: 4242)
  }

  @Test func `an A record is an IPv4 address with the port`() throws {
    #expect(try address(.a, [192, 0, 2, 1]) == SocketAddress(ipAddress: "192.0.2.1", port: 4242))
  }

  @Test func `an AAAA record is an IPv6 address with the port and no zone`() throws {
    let bytes: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1]
    #expect(try address(.aaaa, bytes) == SocketAddress(ipAddress: "2001:db8::1", port: 4242))
  }

  @Test(arguments: [0xFE80, 0xFEBF] as [UInt16])
  func `a link-local address gets the interface as its zone`(prefix: UInt16) throws {
    #expect(try #require(address(.aaaa, address(prefix))).zone == 7)
  }

  @Test(arguments: [0xFE7F, 0xFEC0, 0xFF02, 0x2001] as [UInt16])
  func `an address beside fe80::/10 gets no zone`(prefix: UInt16) throws {
    #expect(try #require(address(.aaaa, address(prefix))).zone == 0)
  }

  @Test func `a link-local address keeps its bytes and its port`() throws {
    let found = try #require(address(.aaaa, address(0xFE80)))
    #expect(found.ipAddress == "fe80::1")
    #expect(found.port == 4242)
  }

  @Test(arguments: [0, 3, 5, 15, 16, 17])
  func `an A record of another length is none`(length: Int) {
    #expect(address(.a, Array(repeating: 1, count: length)) == nil)
  }

  @Test(arguments: [0, 4, 15, 17])
  func `an AAAA record of another length is none`(length: Int) {
    #expect(address(.aaaa, Array(repeating: 1, count: length)) == nil)
  }

  private func address(_ prefix: UInt16) -> [UInt8] {
    [UInt8(prefix >> 8), UInt8(prefix & 0xFF)] + Array(repeating: 0, count: 13) + [1]
  }
}

extension SocketAddress {
  /// The scope id at the end of a `sockaddr_in6` (RFC 3493 §3.3), whose fields Swift can only see through NIO's C module.
  var zone: UInt32 {
    withSockAddr { UnsafeRawPointer($0).loadUnaligned(fromByteOffset: $1 - 4, as: UInt32.self) }
  }
}
