/// Bytes in bech32 (BIP-173), as NIP-19 uses it: at most 5,000 characters, all lower or all upper case.
package struct Bech32: Hashable, Sendable {
  /// The human-readable part, in lower case.
  package let prefix: String
  package let bytes: [UInt8]

  package struct Malformed: Error {}

  /// Takes bytes to write in bech32.
  ///
  /// - Parameter prefix: lower-case letters.
  init(_ prefix: String, _ bytes: [UInt8]) {
    (self.prefix, self.bytes) = (prefix, bytes)
  }

  /// Reads a text. The checksum does not detect a `q` inserted before a final `p`, so check the number of bytes too.
  package init(_ text: String) throws(Malformed) {
    let characters = Array(text.utf8)
    var (isLower, isUpper) = (true, true)
    for character in characters {
      guard (0x21...0x7E).contains(character) else { throw Malformed() }
      if (0x41...0x5A).contains(character) { isLower = false }
      if (0x61...0x7A).contains(character) { isUpper = false }
    }
    guard
      characters.count <= 5000, isLower || isUpper,
      let separator = characters.lastIndex(of: UInt8(ascii: "1")), separator > 0
    else { throw Malformed() }
    prefix = String(decoding: characters[..<separator], as: UTF8.self).lowercased()
    let known = Self.values
    let values = characters[(separator + 1)...].map { known[Int($0)] }
    guard values.allSatisfy({ $0 < 32 }) else { throw Malformed() }
    guard values.count >= 6, Self.remainder(prefix, values) == 1, let bytes = Self.regrouped(values.dropLast(6)) else {
      throw Malformed()
    }
    self.bytes = bytes
  }

  /// The text in lower case, with its checksum.
  package var text: String {
    let values = Self.fives(bytes)
    let remainder = Self.remainder(prefix, values + [UInt8](repeating: 0, count: 6)) ^ 1
    let checksum = (0..<6).map { UInt8(truncatingIfNeeded: remainder >> UInt32(5 * (5 - $0))) & 31 }
    return prefix + "1" + String(decoding: (values + checksum).map { Self.alphabet[Int($0)] }, as: UTF8.self)
  }

  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

  /// The values of the characters in both cases; 255 for a character without one.
  private static let values = (0..<128 as Range<UInt8>).map { character in
    let lower = (0x41...0x5A).contains(character) ? character | 0x20 : character
    return alphabet.firstIndex(of: lower).map(UInt8.init) ?? .max
  }

  /// For each group of five bits that leaves the remainder, the sum of the generators of its bits.
  private static let sums: [UInt32] = {
    let generators: [UInt32] = [0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3]
    return (0..<32).map { group in
      generators.indices.reduce(0) { group >> $1 & 1 == 1 ? $0 ^ generators[$1] : $0 }
    }
  }()

  /// Returns the remainder of the BCH code: 1 for valid bech32. (Bech32m has another.)
  private static func remainder(_ prefix: String, _ values: [UInt8]) -> UInt32 {
    let sums = sums
    var remainder: UInt32 = 1
    func add(_ value: UInt8) {
      remainder = (remainder & 0x1FF_FFFF) << 5 ^ UInt32(value) ^ sums[Int(remainder >> 25)]
    }
    for character in prefix.utf8 { add(character >> 5) }
    add(0)
    for character in prefix.utf8 { add(character & 31) }
    for value in values { add(value) }
    return remainder
  }

  /// Converts groups of five bits to bytes; `nil` if more than four bits, or bits other than zero, are left over.
  private static func regrouped(_ fives: ArraySlice<UInt8>) -> [UInt8]? {
    var (bits, count): (UInt32, Int) = (0, 0)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(fives.count)
    for value in fives {
      bits = bits << 5 | UInt32(value)
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= 1 << UInt32(count) - 1
      }
    }
    return count < 5 && bits == 0 ? bytes : nil
  }

  /// Converts bytes to groups of five bits. The last group is filled with zeros.
  private static func fives(_ bytes: [UInt8]) -> [UInt8] {
    var (bits, count): (UInt32, Int) = (0, 0)
    var fives: [UInt8] = []
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        fives.append(UInt8(bits >> UInt32(count)))
        bits &= 1 << UInt32(count) - 1
      }
    }
    return count == 0 ? fives : fives + [UInt8(bits << UInt32(5 - count))]
  }
}
