/// A QR code as text for a terminal, dark on light in any colour scheme: two modules per character in UTF-8, or two
/// characters per module in ASCII.
///
/// `NO_COLOR` does not apply: without colours a dark terminal would show a negative, which many scanners do not read.
package struct TerminalDrawing: Sendable, Hashable {
  /// The lines from top to bottom, without line feeds. Each sets its colours and resets them at its end.
  package let lines: [String]
  /// Columns per line.
  package let columns: Int
  /// The height in lines. The terminal needs one more row for each line below the drawing, and one for the cursor;
  /// otherwise the first line scrolls away.
  package var rows: Int { lines.count }
  /// The lines, each with its line feed.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// Light modules above and beside the code. ISO/IEC 18004 requires four; two are enough to scan a screen, and with
  /// four a claim link would be too tall for 24 rows.
  private static let quietZone = 2
  /// Light modules below: one fewer, so that a line of text and the cursor fit into 24 rows too.
  private static let quietZoneBelow = 1

  /// Draws with `▀ ▄ █` and space, for a terminal with UTF-8 and colours.
  package init(_ code: QRCode) {
    let picture = Picture(code)
    columns = picture.columns.count
    // A code's size is odd (ISO/IEC 18004: 17 + 4·version) and the quiet zone has three rows, so the height is even.
    lines = stride(from: picture.rows.lowerBound, to: picture.rows.upperBound, by: 2).map { row in
      let cells = picture.columns.map { Self.cell(upper: picture.isDark(row, $0), lower: picture.isDark(row + 1, $0)) }
      return TerminalColor.darkOnLight + String(cells) + TerminalColor.reset
    }
  }

  /// Draws in ASCII, one line per row of modules: `##` is dark, two spaces are light.
  ///
  /// - Parameter colored: whether the terminal supports escape sequences. Without them a dark terminal shows a
  ///   negative.
  package init(ascii code: QRCode, colored: Bool) {
    let picture = Picture(code)
    columns = 2 * picture.columns.count
    lines = picture.rows.map { row in
      var line = colored ? TerminalColor.darkOnLight : ""
      var wasDark = false
      for column in picture.columns {
        let isDark = picture.isDark(row, column)
        if colored, isDark != wasDark { line += isDark ? TerminalColor.dark : TerminalColor.darkOnLight }
        line += isDark ? "##" : "  "
        wasDark = isDark
      }
      return line + (colored ? TerminalColor.reset : "")
    }
  }

  /// The modules and the quiet zone around them.
  private struct Picture {
    let code: QRCode
    let rows: Range<Int>
    let columns: Range<Int>

    init(_ code: QRCode) {
      self.code = code
      rows = -TerminalDrawing.quietZone..<code.size + TerminalDrawing.quietZoneBelow
      columns = -TerminalDrawing.quietZone..<code.size + TerminalDrawing.quietZone
    }

    func isDark(_ row: Int, _ column: Int) -> Bool {
      let inside = 0..<code.size
      return inside.contains(row) && inside.contains(column) && code[row, column]
    }
  }

  private static func cell(upper: Bool, lower: Bool) -> Character {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }
}
