/// An unfolded line of a card, as octets: some writers fold a line inside a character.
struct CardLine {
  /// The number in the file of the line where it begins, counted from 1.
  let number: Int
  var bytes: [UInt8]

  /// Where an error is, for a person: `line 4 (FN)`, or `line 4` for a property that is not in `names`.
  var place: String {
    let line = withoutGroup
    let name = Self.names.first { Self.hasName($0, line) }
    return "line \(number)" + (name.map { " (\($0))" } ?? "")
  }

  /// Returns whether the line has a name, given in upper case, and no group.
  func hasName(_ name: String) -> Bool { Self.hasName(name, bytes[...]) }

  /// Returns whether the line is a name, a colon and a value, in any case, with white space around the value.
  func isPair(_ name: String, _ value: String) -> Bool {
    Self.uppercased(bytes.prefix(name.utf8.count + 1)).elementsEqual("\(name):".utf8)
      && Self.uppercased(self.value[...]).elementsEqual(value.utf8)
  }

  /// Whether the line is an extension: it begins with `X-` (RFC 2426 §3.8), or has that behind a group.
  var isExtension: Bool {
    [bytes[...], withoutGroup].contains { Self.uppercased($0.prefix(2)).elementsEqual("X-".utf8) }
  }

  /// What is behind the first colon, without white space around it.
  var value: [UInt8] {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let value = bytes.drop { $0 != UInt8(ascii: ":") }.dropFirst().drop(while: isBlank)
    return value.lastIndex { !isBlank($0) }.map { Array(value[...$0]) } ?? []
  }

  private var withoutGroup: ArraySlice<UInt8> {
    let rest = bytes.drop { !":;.".utf8.contains($0) }
    return rest.first == UInt8(ascii: ".") ? rest.dropFirst() : bytes[...]
  }

  private static func hasName(_ name: String, _ line: ArraySlice<UInt8>) -> Bool {
    uppercased(line.prefix(name.utf8.count)).elementsEqual(name.utf8)
      && line.dropFirst(name.utf8.count).first.map(":;".utf8.contains) == true
  }

  private static func uppercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
  }

  /// The properties of RFC 2426 and RFC 4770. An error names no others: it never repeats what a card says.
  private static let names = [
    "ADR", "AGENT", "BDAY", "BEGIN", "CATEGORIES", "CLASS", "EMAIL", "END", "FN", "GEO", "IMPP", "KEY", "LABEL", "LOGO",
    "MAILER", "N", "NAME", "NICKNAME", "NOTE", "ORG", "PHOTO", "PRODID", "PROFILE", "REV", "ROLE", "SORT-STRING",
    "SOUND", "SOURCE", "TEL", "TITLE", "TZ", "UID", "URL", "VERSION",
  ]
}
