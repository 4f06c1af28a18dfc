import CLab
public import Foundation

/// The bytes as they are, and all that they may be written as: hex, and base64 and base64url, alone or within a longer text.
/// At each of the three places that the bytes can have in such a text, other characters say them: those that say nothing
/// else are what is looked for.
public func spellings(of bytes: some Collection<UInt8>) -> [[UInt8]] {
  let digits = Array("0123456789abcdef".utf8)
  let hex = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  let upper = Array(String(decoding: hex, as: UTF8.self).uppercased().utf8)
  return [Array(bytes), hex, upper]
    + (0..<3).flatMap { offset in
      let text = Data(Array(repeating: 0, count: offset) + bytes + [0, 0]).base64EncodedString()
      // Character n says the bits from 6 n on.
      let (first, end) = ((8 * offset + 5) / 6, 8 * (offset + bytes.count) / 6)
      let own = text.dropFirst(first).prefix(end - first)
      return [Array(own.utf8), Array(own.replacing("+", with: "-").replacing("/", with: "_").utf8)]
    }
}

extension Data {
  /// Whether these bytes are somewhere in it. Quicker than `range(of:)`, for the many megabytes of a database.
  public func holds(_ bytes: [UInt8]) -> Bool {
    withUnsafeBytes { lab_holds($0.baseAddress, $0.count, bytes, bytes.count) != 0 }
  }
}
