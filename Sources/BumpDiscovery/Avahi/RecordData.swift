/// The data of DNS records as they travel, without compression.
enum RecordData {
  /// A domain name (RFC 1035 §3.1). `nil` where a label is empty or longer than 63 bytes, or the whole than 255.
  static func name(_ labels: [String]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for label in labels {
      guard (1...63).contains(label.utf8.count) else { return nil }
      bytes.append(UInt8(label.utf8.count))
      bytes += label.utf8
    }
    bytes.append(0)
    return bytes.count <= 255 ? bytes : nil
  }

  /// An SRV record (RFC 2782) of the only host that offers the service.
  static func srv(port: UInt16, target: [String]) -> [UInt8]? {
    name(target).map { [0, 0, 0, 0, UInt8(port >> 8), UInt8(port & 0xFF)] + $0 }
  }
}
