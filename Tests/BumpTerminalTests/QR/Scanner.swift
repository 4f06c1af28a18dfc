import Foundation
import Lab

extension Screen {
  /// The screen as a camera sees it: eight pixels a module, with some of the terminal's page around (PPM, `P6`).
  var photograph: Data {
    let scale = 8
    let margin = 6
    let width = (pixels.map(\.count).max() ?? 0) + 2 * margin
    let emptyRow = Array(repeating: terminal.page, count: width)
    let emptyRows = Array(repeating: emptyRow, count: margin)
    let rows =
      emptyRows
      + pixels.map { row in
        let left = Array(repeating: terminal.page, count: margin)
        return left + row + Array(repeating: terminal.page, count: width - margin - row.count)
      } + emptyRows
    var data = Data("P6 \(width * scale) \(rows.count * scale) 255\n".utf8)
    for row in rows {
      let line = row.flatMap { color in
        [[UInt8]](repeating: [color.red, color.green, color.blue], count: scale).joined()
      }
      for _ in 0..<scale { data.append(contentsOf: line) }
    }
    return data
  }
}

struct ScannerError: Error {
  let finished: ProcessResult
}

/// What zbarimg reads in a picture.
///
/// - Parameter asBytes: passed on as they are, where zbarimg would guess the encoding.
func scan(_ picture: Data, asBytes: Bool = false) async throws -> String {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("bump-qr-\(UUID().uuidString).ppm")
  try picture.write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }

  let options = asBytes ? ["-Sbinary"] : []
  let scanning = try await RunningProcess.start(
    ["zbarimg", "--raw", "-q", "--nodbus"] + options + [file.path], environment: ["LC_ALL": "C.UTF-8"])
  let scanned = try await scanning.finish()
  guard scanned.status == 0 else { throw ScannerError(finished: scanned) }
  return asBytes ? scanned.standardOutput : String(scanned.standardOutput.dropLast())
}
