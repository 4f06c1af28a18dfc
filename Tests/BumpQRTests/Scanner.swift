import Foundation

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
  let status: Int32
  let message: String
}

/// What zbarimg reads in a picture.
///
/// - Parameter asBytes: passed on as they are, where zbarimg would guess the encoding.
func scan(_ picture: Data, asBytes: Bool = false) async throws -> String {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("bump-qr-\(UUID().uuidString).ppm")
  try picture.write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }

  let output = Pipe()
  let complaints = Pipe()
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  let options = asBytes ? ["-Sbinary"] : []
  process.arguments = ["LC_ALL=C.UTF-8", "zbarimg", "--raw", "-q", "--nodbus"] + options + [file.path]
  process.standardOutput = output
  process.standardError = complaints
  // A symbol's text is smaller than a pipe's buffer, so it can be read once the process is gone.
  try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
    process.terminationHandler = { _ in continuation.resume() }
    do {
      try process.run()
    } catch {
      continuation.resume(throwing: error)
    }
  }
  let text = try output.everything()
  guard process.terminationStatus == 0 else {
    throw ScannerError(status: process.terminationStatus, message: try complaints.everything())
  }
  return asBytes ? text : String(text.dropLast())
}

extension Pipe {
  fileprivate func everything() throws -> String {
    String(decoding: try fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }
}
