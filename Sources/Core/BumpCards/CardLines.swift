/// The unfolded lines of a card, as octets: some writers fold a line inside a character.
struct CardLines {
  private(set) var lines: [[UInt8]] = []

  /// Splits a card into lines, which end in CRLF or LF. A line that starts with a space or TAB continues the line
  /// before it, without that octet. Skips empty lines and a byte order mark.
  init(_ card: [UInt8]) {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = card.starts(with: byteOrderMark) ? card.dropFirst(byteOrderMark.count) : card[...]
    for line in text.split(separator: UInt8(ascii: "\n")) {
      append(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }

  private mutating func append(_ line: ArraySlice<UInt8>) {
    guard let first = line.first else { return }
    if [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(first), !lines.isEmpty {
      lines[lines.count - 1] += line.dropFirst()
    } else {
      lines.append(Array(line))
    }
  }

  /// Checks that the lines are one card of version 3.0, complete and not too long.
  ///
  /// - Throws: `begin`, `version`, `truncated`, `count`, `limits`, in this order.
  func check() throws(VCardError) {
    guard lines.first.map(Self.isBegin) == true else {
      throw VCardError(.begin, "the file is no vCard: it does not begin with BEGIN:VCARD")
    }
    try checkVersion()
    guard lines.last.map(Self.isEnd) == true else {
      throw VCardError(.truncated, "the card is cut: it does not end with END:VCARD")
    }
    guard lines.count(where: { Self.hasName("BEGIN", $0) }) == 1, lines.count(where: { Self.hasName("END", $0) }) == 1
    else {
      throw VCardError(.count, "the file has more than one card", remedy: "Take one card at a time")
    }
    guard lines.count <= CardLimits.lines else {
      throw VCardError(.limits, "the card has more than \(CardLimits.lines) lines")
    }
  }

  private func checkVersion() throws(VCardError) {
    let remedy = "Save the card as vCard 3.0"
    guard let line = lines.first(where: { Self.hasName("VERSION", $0) }) else {
      throw VCardError(.version, "the card names no version", remedy: remedy)
    }
    let value = line.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    guard !value.elementsEqual("3.0".utf8) else { return }
    let known = ["2.1", "4.0"].first { value.elementsEqual($0.utf8) }
    throw VCardError(
      .version, known.map { "the card is a vCard of version \($0)" } ?? "the card is of another version than 3.0",
      remedy: remedy)
  }

  private static func isBegin(_ line: [UInt8]) -> Bool { uppercased(line[...]).elementsEqual("BEGIN:VCARD".utf8) }
  private static func isEnd(_ line: [UInt8]) -> Bool { uppercased(line[...]).elementsEqual("END:VCARD".utf8) }

  private static func hasName(_ name: String, _ line: [UInt8]) -> Bool {
    uppercased(line.prefix(name.utf8.count)).elementsEqual(name.utf8)
      && line.dropFirst(name.utf8.count).first.map(":;".utf8.contains) == true
  }

  private static func uppercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
  }
}
