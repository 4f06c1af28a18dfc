/// Encodes the data of DNS records, without compression.
enum RecordData {
  /// Encodes a domain name (RFC 1035 §3.1); `nil` if a label is empty or longer than 63 bytes, or the name longer than
  /// 255.
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

  /// Encodes an SRV record (RFC 2782) with priority and weight 0, for a service on a single host.
  static func srv(port: UInt16, target: [String]) -> [UInt8]? {
    name(target).map { [0, 0, 0, 0, UInt8(port >> 8), UInt8(port & 0xFF)] + $0 }
  }
}
