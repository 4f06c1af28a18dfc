/// A QR code as an SVG 1.1 image: black on white, with the quiet zone of four modules that ISO/IEC 18004 requires.
///
/// The document is self-contained, in ASCII.
package struct SVGDrawing: Sendable, Hashable {
  /// The complete document, with a line feed at its end.
  package let text: String
  /// Modules per side, the quiet zone included.
  package let size: Int

  /// Light modules on every side.
  private static let quietZone = 4
  /// Pixels per module at the default size: enough for a camera, and a whole number, so that no edge is blurred.
  private static let scale = 8

  /// Draws a QR code.
  package init(_ code: QRCode) {
    size = code.size + 2 * Self.quietZone
    let rows = (0..<code.size).flatMap { row in
      Self.runs(of: code, in: row).map { run in
        "M\(run.lowerBound + Self.quietZone) \(row + Self.quietZone)h\(run.count)v1h-\(run.count)z"
      }
    }
    let pixels = size * Self.scale
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" version="1.1" \
      width="\(pixels)" height="\(pixels)" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">
      <rect width="\(size)" height="\(size)" fill="#fff"/>
      <path fill="#000" d="\(rows.joined())"/>
      </svg>

      """
  }

  /// Runs of adjacent dark modules in a row, each drawn as one rectangle: no seams between modules.
  private static func runs(of code: QRCode, in row: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for column in 0..<code.size where code[row, column] {
      if let last = runs.last, last.upperBound == column {
        runs[runs.count - 1] = last.lowerBound..<column + 1
      } else {
        runs.append(column..<column + 1)
      }
    }
    return runs
  }
}
