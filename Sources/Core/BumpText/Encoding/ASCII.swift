/// The byte classes of the protocol's texts. They contain only ASCII: the fullwidth `１` is not a digit.
package enum ASCII {
  package static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  package static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
  package static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

  /// The alphabet of base64url (RFC 4648 §5) and of claim ids.
  package static func isURLSafe(_ byte: UInt8) -> Bool {
    isDigit(byte) || isUpper(byte) || isLower(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }
}
