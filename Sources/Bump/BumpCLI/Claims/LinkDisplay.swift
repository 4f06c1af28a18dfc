import BumpClaims
import BumpQR
import BumpTerminal
import BumpText
import BumpVaultAPI
import BumpWire
import Glibc

/// Shows a claim link to the person. No other code prints bearer money.
enum LinkDisplay {
  enum QR: String, CaseIterable { case auto, never }

  /// Prints the link alone if stdout is not a terminal. On a terminal prints the command for the other machine, the
  /// link on a line of its own, its QR code if that fits, and the note last, where it stays in view.
  ///
  /// - Parameters:
  ///   - id: the claim's id, for the command that writes the QR code to a file.
  ///   - key: the path of the key file that made the link's MAC.
  ///   - vault: the vault of the claim's money, if the link does not name it.
  ///   - note: who may have the claim, in one line.
  static func show(_ link: String, of id: ClaimID, key: String?, vault: VaultURL?, as qr: QR, note: String) {
    guard isatty(STDOUT_FILENO) == 1 else { return Console.result(link) }
    Console.result(Counterpart.ofLink(key: key, vault: vault))
    Console.result(link)
    defer { Console.result(note) }
    guard qr == .auto, let code = try? QRCode(link) else { return }
    let drawing = drawing(of: code)
    guard fits(drawing) else {
      let file = ShellCommand.text(
        ["bump", "link", id.description, "--qr-file", "claim.svg"] + Counterpart.option("--key", key))
      return Console.result(
        "Its QR code needs a terminal of \(drawing.columns)×\(drawing.rows + rowsBelow), or a file: \(file)")
    }
    Console.result(String(drawing.text.dropLast()))
  }

  /// Returns the code as a drawing that the terminal can show.
  static func drawing(of code: QRCode) -> TerminalDrawing {
    Environment.isUTF8 && Environment.takesEscapes
      ? TerminalDrawing(code) : TerminalDrawing(ascii: code, colored: Environment.takesEscapes)
  }

  /// Rows below the QR code: the note and the cursor.
  private static let rowsBelow = 2

  /// Returns whether the drawing and the rows below it fit the terminal; true if the terminal's size is unknown.
  static func fits(_ drawing: TerminalDrawing) -> Bool {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return true }
    return drawing.rows + rowsBelow <= size.ws_row && drawing.columns <= size.ws_col
  }
}
