import BumpClaims
import BumpTerminal
import BumpText
import BumpVaultAPI
import BumpWire
import Glibc

/// Shows a claim link to the person. No other code prints bearer money.
enum LinkDisplay {
  enum QR: String, CaseIterable { case auto, never }

  /// Prints the link alone if stdout is not a terminal. On a terminal prints the command for the other machine, the
  /// link on a line of its own, its QR code if that fits, with the link beside it if the line scrolls away, and the note
  /// last, where it stays in view.
  ///
  /// - Parameters:
  ///   - id: the claim's id, for the command that writes the QR code to a file.
  ///   - key: the path of the key file that made the link's MAC.
  ///   - vault: the vault of the claim's money, if the link does not name it.
  ///   - note: who may have the claim, in one line.
  ///   - isSimulated: whether the claim is simulated: then no command takes its link, or shows it again.
  static func show(
    _ link: String, of id: ClaimID, key: String?, vault: VaultURL?, as qr: QR, note: String, isSimulated: Bool = false
  ) {
    guard isatty(STDOUT_FILENO) == 1 else { return Console.result(link) }
    if !isSimulated { Console.result(Counterpart.ofLink(key: key, vault: vault)) }
    Console.result(link)
    defer { Console.resultInLines(note) }
    guard qr == .auto, let code = try? QRCode(link) else { return }
    let drawing = QRDisplay.drawing(of: code)
    guard QRDisplay.fits(drawing) else {
      let file = ShellCommand.text(
        ["bump", "link", id.description, "--qr-file", "claim.svg"] + Counterpart.option("--key", key))
      let size = "\(drawing.columns)×\(drawing.rows + QRDisplay.rowsBelow)"
      return Console.resultInLines(
        "Its QR code needs a terminal of \(size)\(isSimulated ? "." : ", or a file: \(file)")")
    }
    let lines = QRDisplay.lines(drawing.lines, columns: drawing.columns, besides: link, in: QRDisplay.size)
    Console.result(lines.joined(separator: "\n"))
  }
}
