/// A QR code as text for a terminal: two modules a character, dark on light whatever the terminal's colours.
///
/// The colours are the picture, not decoration: on a dark terminal the same characters without them are a negative,
/// which many scanners do not read. So `NO_COLOR` does not apply here; who wants no colours wants no drawing.
/// The characters are `▀ ▄ █` and space: the terminal must take UTF-8.
public struct TerminalDrawing: Sendable, Hashable {
  /// From top to bottom, without line breaks. Each sets its colours and resets them at its end.
  public let lines: [String]
  /// Characters per line.
  public let columns: Int
  /// The height in lines. A terminal must have one row more, for the cursor, or the first line scrolls away.
  public var rows: Int { lines.count }
  /// The lines, each with its line feed.
  public var text: String { lines.map { $0 + "\n" }.joined() }

  /// Modules of light on every side. ISO/IEC 18004 asks for four; scanners of screens do with two, and four
  /// would make a claim link too tall for 24 rows.
  private static let quietZone = 2

  public init(_ code: QRCode) {
    let inside = 0..<code.size
    let isDark = { (row: Int, column: Int) in
      inside.contains(row) && inside.contains(column) && code[row, column]
    }
    let span = -Self.quietZone..<code.size + Self.quietZone
    columns = span.count
    // The height in modules is odd, so the lower half of the last line lies outside of the span, and is light.
    lines = stride(from: span.lowerBound, to: span.upperBound, by: 2).map { row in
      let cells = span.map { column in Self.cell(upper: isDark(row, column), lower: isDark(row + 1, column)) }
      return TerminalColor.darkOnLight + String(cells) + TerminalColor.reset
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
