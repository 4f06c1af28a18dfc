package import BumpQR
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
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return true }
    return drawing.rows + rowsBelow <= size.ws_row && drawing.columns <= size.ws_col
  }
}
