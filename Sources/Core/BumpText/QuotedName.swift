/// Quotes names that another person chose: in quotes, escaped, with runs of spaces collapsed, truncated to 32 columns.
///
/// So a name cannot imitate a message of the program, or push one off the line.
public enum QuotedName {
  /// The greatest width of the name, without its quotes.
  public static let columns = 32

  /// Returns a name in quotes.
  ///
  /// - Parameters:
  ///   - name: the name as received.
  ///   - columns: the greatest width of the name, without its quotes.
  public static func of(_ name: String, columns: Int = columns) -> String {
    ofVisible(VisibleText.ofName(name), columns: columns)
  }

  /// Returns a name in quotes that `VisibleText` has escaped already.
  ///
  /// - Parameters:
  ///   - name: the escaped name.
  ///   - columns: the greatest width of the name, without its quotes.
  public static func ofVisible(_ name: String, columns: Int = columns) -> String {
    "\"\(cut(pieces(of: name), to: columns))\""
  }

  /// Returns the units that truncation keeps whole: characters, and escapes such as `\u{1b}`. Escapes quotes.
  private static func pieces(of name: String) -> [String] {
    var pieces: [String] = []
    var rest = name[...]
    while let first = rest.first {
      let isEscape = first == "\\"
      let end =
        isEscape
        ? rest.firstIndex(of: "}").map(rest.index(after:)) ?? rest.endIndex : rest.index(after: rest.startIndex)
      let piece = rest[..<end]
      rest = rest[end...]
      if piece == " ", pieces.last == " " || pieces.isEmpty || rest.allSatisfy({ $0 == " " }) { continue }
      pieces.append(piece.unicodeScalars.contains(where: quotes.contains) ? escaped(piece) : String(piece))
    }
    return pieces
  }

  private static func cut(_ pieces: [String], to columns: Int) -> String {
    guard TextWidth.columns(of: pieces.joined()) > columns else { return pieces.joined() }
    var text = ""
    for piece in pieces {
      guard TextWidth.columns(of: text) + TextWidth.columns(of: piece) < columns else { break }
      text += piece
    }
    return text + "…"
  }

  /// The characters that end the quotes or look as if they did (Unicode UTS #39, confusables of U+0022).
  private static let quotes: Set<Unicode.Scalar> = [
    "\"", "\u{2BA}", "\u{2DD}", "\u{2EE}", "\u{5F2}", "\u{5F4}", "\u{1CD3}", "\u{201C}", "\u{201D}", "\u{201E}",
    "\u{201F}", "\u{2033}", "\u{2034}", "\u{2036}", "\u{2057}", "\u{275D}", "\u{275E}", "\u{2760}", "\u{301D}",
    "\u{301E}", "\u{301F}", "\u{3003}", "\u{FF02}", "\u{1F676}", "\u{1F677}", "\u{1F678}",
  ]

  private static func escaped(_ piece: Substring) -> String {
    piece.unicodeScalars.map { quotes.contains($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
  }
}
