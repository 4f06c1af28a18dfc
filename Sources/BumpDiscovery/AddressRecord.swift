import NIOCore

/// The data of an A or AAAA record as it came, and the network interface it came by.
struct AddressRecord {
  /// The numbers of RFC 1035 §3.2.2 and RFC 3596 §2.1.
  enum RecordType: UInt16 { case a = 1, aaaa = 28 }

  var bytes: [UInt8]
  var interface: UInt32

  /// The address, where the data has the length of the type: 4 or 16 bytes.
  func address(_ type: RecordType, port: UInt16) -> SocketAddress? {
    guard bytes.count == (type == .a ? 4 : 16) else { return nil }
    let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: Int(port))
    // fe80::/10 means nothing without its link: connect() gives EINVAL.
    let isLinkLocal = type == .aaaa && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    guard isLinkLocal, let text = address?.ipAddress else { return address }
    return try? SocketAddress(ipAddress: "\(text)%\(interface)", port: Int(port))
  }
}
