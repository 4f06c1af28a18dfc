import BumpText

/// The unfolded lines of a card.
struct CardLines {
  private(set) var lines: [CardLine] = []

  /// Splits a card into lines, which end in CRLF or LF. A line that starts with a space or TAB continues the line
  /// before it, without that octet. Skips empty lines and a byte order mark.
  ///
  /// - Throws: `charset` for a card in UTF-16.
  init(_ card: [UInt8]) throws(VCardError) {
    guard !CharacterSet.isUTF16(card) else {
      throw VCardError(.charset, "the file is in UTF-16, not in UTF-8", remedy: CharacterSet.remedy)
    }
    let all = card.withoutByteOrderMark.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in all.enumerated() {
      append(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, index + 1)
    }
  }

  private mutating func append(_ line: ArraySlice<UInt8>, _ number: Int) {
    guard let first = line.first else { return }
    if [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(first), !lines.isEmpty {
      lines[lines.count - 1].bytes += line.dropFirst()
    } else {
      lines.append(CardLine(number: number, bytes: Array(line)))
    }
  }

  /// Checks that the lines are one card of version 3.0, complete and not too long. White space behind BEGIN, VERSION
  /// and END does not count.
  ///
  /// - Throws: `begin`, `version`, `truncated`, `count`, `limits`, in this order.
  func check() throws(VCardError) {
    guard lines.first?.isPair("BEGIN", "VCARD") == true else {
      throw VCardError(.begin, "the file is not a vCard: it does not begin with BEGIN:VCARD")
    }
    try checkVersion()
    guard lines.last?.isPair("END", "VCARD") == true else {
      throw VCardError(.truncated, "the card is cut: it does not end with END:VCARD")
    }
    let others = lines.dropFirst().filter { $0.hasName("BEGIN") } + lines.dropLast().filter { $0.hasName("END") }
    guard others.isEmpty else {
      let place = others.min { $0.number < $1.number }?.place ?? ""
      throw VCardError(.count, "the file has more than one card, as \(place) shows", remedy: "Take one card at a time")
    }
    guard lines.count <= CardLimits.lines else {
      throw VCardError(.limits, "the card has more than \(CardLimits.lines) lines")
    }
  }

  private func checkVersion() throws(VCardError) {
    let remedy = "Save the card as vCard 3.0"
    guard let line = lines.first(where: { $0.hasName("VERSION") }) else {
      throw VCardError(.version, "the card names no version", remedy: remedy)
    }
    let value = line.value
    guard !value.elementsEqual("3.0".utf8) else { return }
    let known = ["2.1", "4.0"].first { value.elementsEqual($0.utf8) }.map { "a vCard of version \($0)" }
    let version = known ?? "of another version than 3.0"
    throw VCardError(.version, "the card is \(version), as \(line.place) says", remedy: remedy)
  }
}
