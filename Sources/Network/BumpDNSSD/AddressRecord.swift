import NIOCore

/// The data of a received A or AAAA record, and the network interface on which it was received.
struct AddressRecord {
  /// The numbers of RFC 1035 §3.2.2 and RFC 3596 §2.1.
  enum RecordType: UInt16 { case a = 1, aaaa = 28 }

  var bytes: [UInt8]
  var interface: UInt32

  /// Returns the address; `nil` unless the data has the type's length of 4 or 16 bytes.
  func address(_ type: RecordType, port: UInt16) -> SocketAddress? {
    guard bytes.count == (type == .a ? 4 : 16) else { return nil }
    let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: Int(port))
    // A link-local address needs its zone: without it, connect() returns EINVAL.
    let isLinkLocal = type == .aaaa && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    guard isLinkLocal, let text = address?.ipAddress else { return address }
    return try? SocketAddress(ipAddress: "\(text)%\(interface)", port: Int(port))
  }
}
