import BumpText

extension VCard {
  /// Writes the card as vCard 3.0: in UTF-8 and CRLF, VERSION first, with lines folded at 75 octets, never inside a
  /// character.
  ///
  /// The result reads as this card, without a warning.
  ///
  /// - Throws: `VCardError`: `name` if the formatted name or every part of the name is blank; `control`, `limits` and
  ///   `size` as a reader would.
  public func written() throws(VCardError) -> [UInt8] {
    guard !formattedName.isBlank, !name.isBlank else {
      throw VCardError(.name, "a card needs a formatted name, and a part of the name at least")
    }
    let bytes = lines.flatMap { Self.folded(Array($0.utf8)) }
    // Only the reader checks the limits.
    let reading = try Self.read(bytes)
    precondition(reading == Reading(card: self, warnings: []), "a card that does not read as it was written")
    return bytes
  }

  private var lines: [String] {
    let name = self.name.parts.map(CardText.escaped).joined(separator: ";")
    var lines = ["BEGIN:VCARD", "VERSION:3.0", "N:\(name)", "FN:\(CardText.escaped(formattedName))"]
    if !organization.isEmpty {
      lines.append("ORG:" + organization.map(CardText.escaped).joined(separator: ";"))
    }
    if let title { lines.append("TITLE:\(CardText.escaped(title))") }
    lines += telephones.map { "TEL:\(CardText.escaped($0))" }
    lines += emails.map { "EMAIL:\(CardText.escaped($0))" }
    if let photo {
      lines.append("PHOTO;ENCODING=b;TYPE=\(photo.header.format.rawValue):\(Base64.encoded(photo.bytes))")
    }
    return lines + ["END:VCARD"]
  }

  /// Returns a line in pieces of at most 75 octets. Each piece after the first begins with a space.
  private static func folded(_ line: [UInt8]) -> [UInt8] {
    var folded: [UInt8] = []
    var rest = line[...]
    while true {
      let room = CardLimits.foldedLine - (folded.isEmpty ? 0 : 1)
      if !folded.isEmpty { folded.append(UInt8(ascii: " ")) }
      var piece = rest.prefix(room)
      // An octet of the form 10xxxxxx continues a character of UTF-8.
      while piece.count < rest.count, rest[piece.endIndex] & 0b1100_0000 == 0b1000_0000 { piece = piece.dropLast() }
      folded += piece + Array("\r\n".utf8)
      rest = rest[piece.endIndex...]
      if rest.isEmpty { return folded }
    }
  }
}
