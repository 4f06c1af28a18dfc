/// The few byte classes that the protocol's texts are made of. ASCII only: `１` is no digit here.
enum ASCII {
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
  static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

  /// The alphabet of base64url (RFC 4648 §5), which is also that of claim ids.
  static func isURLSafe(_ byte: UInt8) -> Bool {
    isDigit(byte) || isUpper(byte) || isLower(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
