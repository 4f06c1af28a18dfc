import Glibc

/// Shows QR codes on the terminal.
package enum QRDisplay {
  /// Returns the code as a drawing that the terminal can show.
  package static func drawing(of code: QRCode) -> TerminalDrawing {
    Environment.isUTF8 && Environment.takesEscapes
      ? TerminalDrawing(code) : TerminalDrawing(ascii: code, colored: Environment.takesEscapes)
  }

  /// Rows below the QR code: the note and the cursor.
  package static let rowsBelow = 2

  /// Returns whether the drawing and the rows below it fit the terminal; true if the terminal's size is unknown.
  package static func fits(_ drawing: TerminalDrawing) -> Bool {
    guard let size else { return true }
    return drawing.rows + rowsBelow <= size.rows && drawing.columns <= size.columns
  }

  /// The size of the terminal at stdout; `nil` if it is unknown.
  package static var size: (rows: Int, columns: Int)? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// Returns the lines of a drawing, with a text beside it in pieces if the text, which is above the drawing, scrolls
  /// away: a code for a claim link fills 24 rows, but only 45 of 80 columns.
  ///
  /// - Parameters:
  ///   - columns: the width of the drawing.
  ///   - text: a text of ASCII without spaces.
  ///   - size: the size of the terminal; `nil` if it is unknown.
  package static func lines(
    _ drawing: [String], columns: Int, besides text: String, in size: (rows: Int, columns: Int)?
  ) -> [String] {
    guard let size else { return drawing }
    let rowsAbove = (text.utf8.count + size.columns - 1) / size.columns
    // Two spaces before it. The last column stays empty, so that no terminal breaks the line.
    let room = size.columns - columns - 3
    guard rowsAbove + drawing.count + rowsBelow > size.rows, room >= leastRoom else { return drawing }
    var (lines, rest) = (drawing, text[...])
    for index in lines.indices where !rest.isEmpty {
      lines[index] += "  " + rest.prefix(room)
      rest = rest.dropFirst(room)
    }
    return rest.isEmpty ? lines : drawing
  }

  /// The fewest columns for a piece of a text.
  private static let leastRoom = 16
}
