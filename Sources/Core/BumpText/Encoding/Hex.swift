/// Hexadecimal digits, two per byte.
package enum Hex {
  /// Returns lower-case digits, with room for a newline: an array that has to grow leaves a copy of a secret in memory
  /// that nobody wipes.
  package static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.count + 1)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return digits
  }

  /// Returns lower-case digits as a string.
  package static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: encode(bytes), as: UTF8.self) }

  /// Returns `0x` and lower-case digits.
  package static func prefixed(_ bytes: some Collection<UInt8>) -> String { "0x" + text(bytes) }

  /// Returns the bytes of an even number of digits, in either case; `nil` for anything else.
  package static func decode(_ digits: some Collection<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  /// Returns the bytes after `0x`; `nil` for anything else.
  package static func decode(prefixed text: some StringProtocol) -> [UInt8]? {
    text.utf8.starts(with: "0x".utf8) ? decode(text.utf8.dropFirst(2)) : nil
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
