/// JSON strings in the protocol's only encoding: `"` and `\` after a backslash, U+0000–001F as `\u00xx` in lower-case
/// hex, everything else unescaped.
package enum JSONString {
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: escaped += "\\\(scalar)"
      case 0..<0x10: escaped += "\\u000\(String(scalar.value, radix: 16))"
      case 0x10..<0x20: escaped += "\\u00\(String(scalar.value, radix: 16))"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Reads a string and its closing quote. Accepts other encodings too: the caller encodes the result and compares.
  package static func scan(_ scanner: inout CanonicalScanner) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let byte = scanner.next() {
      switch byte {
      case UInt8(ascii: "\""):
        return bytes
      case UInt8(ascii: "\\"):
        guard let escaped = scanner.next() else { return nil }
        if escaped == UInt8(ascii: "u") {
          guard scanner.take("00"), let high = scanner.next(), let low = scanner.next() else { return nil }
          guard let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16) else { return nil }
          bytes.append(value)
        } else {
          bytes.append(escaped)
        }
      default:
        bytes.append(byte)
      }
    }
    return nil
  }
}
