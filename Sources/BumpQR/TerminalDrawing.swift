/// A QR code as text for a terminal, dark on light whatever the terminal's colours: two modules a character where it takes
/// UTF-8, two characters a module where it takes ASCII alone.
///
/// The colours are the picture, not decoration: on a dark terminal the same characters without them are a negative,
/// which many scanners do not read. So `NO_COLOR` does not apply here; who wants no colours wants no drawing.
public struct TerminalDrawing: Sendable, Hashable {
  /// From top to bottom, without line breaks. Each sets its colours and resets them at its end.
  public let lines: [String]
  /// Columns per line.
  public let columns: Int
  /// The height in lines. A terminal must have one row more for each line below the drawing, and one for the cursor, or
  /// the first line scrolls away.
  public var rows: Int { lines.count }
  /// The lines, each with its line feed.
  public var text: String { lines.map { $0 + "\n" }.joined() }

  /// Modules of light above and beside the code. ISO/IEC 18004 asks for four; scanners of screens do with two, and four
  /// would make a claim link too tall for 24 rows.
  private static let quietZone = 2
  /// Modules of light below: one fewer, so that a line of text and the cursor have room in 24 rows too.
  private static let quietZoneBelow = 1

  /// A drawing of `▀ ▄ █` and space: the terminal must take UTF-8 and colours.
  public init(_ code: QRCode) {
    let picture = Picture(code)
    columns = picture.columns.count
    // A code's size is odd (ISO/IEC 18004: 17 + 4·version), so the height is even.
    lines = stride(from: picture.rows.lowerBound, to: picture.rows.upperBound, by: 2).map { row in
      let cells = picture.columns.map { Self.cell(upper: picture.isDark(row, $0), lower: picture.isDark(row + 1, $0)) }
      return TerminalColor.darkOnLight + String(cells) + TerminalColor.reset
    }
  }

  /// A drawing in ASCII, a line for each row of modules: `##` is dark, two spaces are light.
  ///
  /// - Parameter colored: Whether the terminal takes escape sequences. Without them a dark terminal shows a negative.
  public init(ascii code: QRCode, colored: Bool) {
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

  /// The modules with their quiet zone around them.
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
