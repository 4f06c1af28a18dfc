/// The character sets and encodings that cards are found in, and this library does not read. Errors name them.
enum CharacterSet {
  static let remedy = "Save the card as vCard 3.0, in UTF-8"

  /// Returns whether a card is in UTF-16: it begins with the byte order mark, or with the B of BEGIN.
  static func isUTF16(_ card: [UInt8]) -> Bool {
    let beginnings: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0x42, 0], [0x62, 0], [0, 0x42], [0, 0x62]]
    return beginnings.contains { card.starts(with: $0) }
  }

  /// Returns the character set that a line which is not UTF-8 seems to be in; `nil` if it seems to be in none.
  ///
  /// In ISO 8859-1 the bytes 80 to 9F are control characters, which no text has; Windows-1252 has letters there.
  static func guess(_ line: [UInt8]) -> String? {
    let high = line.filter { $0 >= 0x80 }
    guard !high.isEmpty else { return nil }
    return high.allSatisfy { $0 >= 0xA0 } ? "ISO 8859-1 (Latin-1)" : nil
  }

  /// Returns a name of the CHARSET parameter, in upper case, as an error may repeat it; `nil` for any other value.
  static func known(_ name: String) -> String? {
    let names = [
      "ISO-8859-1", "ISO-8859-2", "ISO-8859-5", "ISO-8859-15", "LATIN1", "US-ASCII", "WINDOWS-1251", "WINDOWS-1252",
      "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-7", "SHIFT_JIS", "ISO-2022-JP", "EUC-JP", "EUC-KR", "GB2312", "GBK",
      "GB18030", "BIG5", "KOI8-R",
    ]
    return names.contains(name) ? name : nil
  }

  /// Returns a name of the ENCODING parameter in the same way (RFC 2045 §6.1).
  static func knownEncoding(_ name: String) -> String? {
    ["7BIT", "8BIT", "BINARY", "QUOTED-PRINTABLE"].contains(name) ? name : nil
  }
}
