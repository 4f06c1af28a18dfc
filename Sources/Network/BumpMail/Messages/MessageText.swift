import BumpText

/// A text of a message.
enum MessageText {
  /// Returns a text as quoted-printable (RFC 2045 §6.7): ASCII in lines of at most 76 characters, ended by CR LF.
  ///
  /// A dot at the beginning of a line, which ends a message of SMTP, and a line that begins with `From `, which begins
  /// another message of an mbox, are encoded too.
  static func quotedPrintable(_ text: String) -> String {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.map { quotedLine(Array($0)) }.joined(separator: "\r\n")
  }

  private static func quotedLine(_ bytes: [UInt8]) -> String {
    var (lines, line) = ([String](), "")
    for (place, byte) in bytes.enumerated() {
      let isLast = place == bytes.count - 1
      let isLiteral = isLiteral(byte, beginsLine: line.isEmpty, endsLine: isLast, bytes)
      let piece = isLiteral ? String(Unicode.Scalar(byte)) : escape(byte)
      // The soft line break needs the 76th place.
      if line.utf8.count + piece.utf8.count > (isLast ? 76 : 75) {
        lines.append("\(line)=")
        // A dot may now begin a line, or `From `.
        line = [UInt8(ascii: "."), UInt8(ascii: "F")].contains(byte) ? escape(byte) : piece
      } else {
        line += piece
      }
    }
    return (lines + [line]).joined(separator: "\r\n")
  }

  private static func isLiteral(_ byte: UInt8, beginsLine: Bool, endsLine: Bool, _ line: [UInt8]) -> Bool {
    switch byte {
    case UInt8(ascii: " "): !endsLine
    case UInt8(ascii: "="): false
    case UInt8(ascii: "."): !beginsLine
    case UInt8(ascii: "F"): !(beginsLine && line.starts(with: Array("From ".utf8)))
    default: (0x21...0x7E).contains(byte)
    }
  }

  private static func escape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "=0\(digits)" : "=\(digits)"
  }

  /// Returns a text for a header field: as it is, or as encoded words of at most 75 characters (RFC 2047 §2), each of
  /// whole characters, on lines of their own.
  static func header(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?") && text.utf8.count <= 60
    if isPlain { return text }
    var (words, word) = ([String](), "")
    for scalar in text.unicodeScalars {
      // 45 bytes are 60 characters of base64.
      if word.utf8.count + String(scalar).utf8.count > 45 {
        words.append(word)
        word = ""
      }
      word.unicodeScalars.append(scalar)
    }
    return (words + [word]).map { "=?utf-8?B?\(Base64.encoded(Array($0.utf8)))?=" }.joined(separator: "\r\n ")
  }
}
