import BumpChannel
import BumpQR
import BumpWire
import Glibc

/// Shows a claim link to the person: the one place that prints bearer money.
enum LinkDisplay {
  enum QR: String, CaseIterable { case auto, never }

  /// In a pipe prints the link alone. On a terminal prints the command that takes it, the link on a line of its own, its
  /// QR code, so that it stays in view, and the note, last. The link is printed whatever the terminal is.
  ///
  /// - Parameters:
  ///   - id: The claim's, for the command that writes the QR code to a file.
  ///   - key: The path of the key file that the link's mac was made with.
  ///   - note: Who may have the claim, in one line.
  static func show(_ link: String, of id: ClaimID, key: String?, as qr: QR, note: String) {
    guard isatty(STDOUT_FILENO) == 1 else { return Console.result(link) }
    Console.result(Counterpart.ofLink(key: key))
    Console.result(link)
    defer { Console.result(note) }
    guard qr == .auto, let code = try? QRCode(link) else { return }
    let drawing =
      Environment.isUTF8 && Environment.takesEscapes
      ? TerminalDrawing(code) : TerminalDrawing(ascii: code, colored: Environment.takesEscapes)
    guard fits(drawing) else {
      let file = Counterpart.words(
        ["bump", "link", id.description, "--qr-file", "claim.svg"] + Counterpart.option("--key", key))
      return Console.result(
        "Its QR code needs a terminal of \(drawing.columns)×\(drawing.rows + rowsBelow), or a file: \(file)")
    }
    Console.result(String(drawing.text.dropLast()))
  }

  /// The note, and the row of the cursor.
  private static let rowsBelow = 2

  /// Whether the drawing fits the terminal with what is below it, where the terminal's size is known.
  private static func fits(_ drawing: TerminalDrawing) -> Bool {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return true }
    return drawing.rows + rowsBelow <= size.ws_row && drawing.columns <= size.ws_col
  }
}
