/// A value of Recursive Length Prefix, Ethereum's encoding of transactions (Yellow Paper, appendix B).
indirect enum RLP: Hashable, Sendable {
  /// A string of bytes.
  case bytes([UInt8])
  /// A list of values.
  case list([RLP])

  /// Returns an integer as RLP has it: big-endian, without leading zeros; 0 is the empty string.
  static func integer(_ value: some FixedWidthInteger & UnsignedInteger) -> RLP {
    .scalar(withUnsafeBytes(of: value.bigEndian, Array.init))
  }

  /// Returns a big-endian integer without its leading zeros.
  static func scalar(_ bytes: some Sequence<UInt8>) -> RLP { .bytes(Array(bytes.drop { $0 == 0 })) }

  /// The value's one encoding.
  var encoded: [UInt8] {
    switch self {
    case .bytes(let bytes):
      if bytes.count == 1, bytes[0] < 0x80 { return bytes }
      return Self.prefix(of: bytes.count, after: 0x80) + bytes
    case .list(let values): return Self.list(encoded: values.flatMap(\.encoded))
    }
  }

  /// Returns the encoding of a list from those of its values, one after the other.
  static func list(encoded content: [UInt8]) -> [UInt8] { prefix(of: content.count, after: 0xC0) + content }

  /// Returns the prefix for some number of bytes: up to 55 in one byte, beyond that with the number's own length.
  private static func prefix(of count: Int, after offset: UInt8) -> [UInt8] {
    if count <= 55 { return [offset + UInt8(count)] }
    let digits = Array(withUnsafeBytes(of: UInt64(count).bigEndian, Array.init).drop { $0 == 0 })
    return [offset + 55 + UInt8(digits.count)] + digits
  }
}
