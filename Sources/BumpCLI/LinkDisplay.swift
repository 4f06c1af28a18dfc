import BumpChannel
import BumpQR
import BumpWire
import Glibc

/// Shows a claim link to the person: the one place that prints bearer money.
enum LinkDisplay {
  enum QR: String, CaseIterable { case auto, never }

  /// On a terminal, the command that takes the link and its QR code, last, so that it stays in view;
  /// in a pipe, or where the locale is not UTF-8, the link alone.
  static func show(_ link: String, as qr: QR) {
    guard
      qr == .auto, isatty(STDOUT_FILENO) == 1, Environment.isUTF8,
      let code = try? QRCode(link)
    else { return Console.result(link) }
    let drawing = TerminalDrawing(code)
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0
    Console.result("bump receive --link '\(link)'")
    guard !isKnown || (drawing.rows <= size.ws_row && drawing.columns <= size.ws_col) else {
      return Console.result("(its QR code needs a terminal of \(drawing.columns)×\(drawing.rows + 1))")
    }
    Console.result(String(drawing.text.dropLast()))
  }
}
