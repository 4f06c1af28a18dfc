import BumpTerminal
import Foundation
import Lab
import Testing

@Suite(.serialized, .processes()) struct SVGDrawingTests {
  /// The dark modules of a drawing, by row and column, quiet zone included: what its one path fills.
  private func modules(_ drawing: SVGDrawing) throws -> [[Bool]] {
    var modules = Array(repeating: Array(repeating: false, count: drawing.size), count: drawing.size)
    let path = try #require(drawing.text.firstMatch(of: /<path fill="#000" d="([^"]*)"\/>/)?.1)
    let bars = path.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/)
    #expect(bars.map { String($0.0) }.joined() == path, "there is nothing else in it")
    for bar in bars {
      let (column, row) = (try #require(Int(bar.1)), try #require(Int(bar.2)))
      #expect(bar.3 == bar.4)
      for column in column..<column + (try #require(Int(bar.3))) { modules[row][column] = true }
    }
    return modules
  }

  @Test(arguments: [("a", 1), ("7", 42), (sampleLink().text, 1), ("a", 2953)])
  func `every module is in its place, with four of light around`(piece: String, count: Int) throws {
    let code = try QRCode(String(repeating: piece, count: count))
    let drawing = SVGDrawing(code)
    #expect(drawing.size == code.size + 8)
    var expected = Array(repeating: Array(repeating: false, count: drawing.size), count: drawing.size)
    for row in 0..<code.size {
      for column in 0..<code.size { expected[row + 4][column + 4] = code[row, column] }
    }
    #expect(try modules(drawing) == expected)
  }

  @Test(arguments: bases, amounts)
  func `a claim link is read back`(base: String, amount: String) async throws {
    let link = sampleLink(base: base, amount: amount).text
    let rows = try modules(SVGDrawing(try QRCode(link)))
    // As a browser paints it: eight pixels a module, and nothing around (PPM, `P6`).
    let side = rows.count * 8
    var picture = Data("P6 \(side) \(side) 255\n".utf8)
    for row in rows {
      let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: 3 * 8) }
      for _ in 0..<8 { picture.append(contentsOf: line) }
    }
    #expect(try await scan(picture) == link)
  }

  @Test func `it is a document that stands alone`() throws {
    let text = SVGDrawing(try QRCode(sampleLink().text)).text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 6 && lines[5].isEmpty)
    #expect(lines[0] == #"<?xml version="1.0" encoding="UTF-8"?>"#)
    #expect(lines[1].hasPrefix(#"<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="392" height="392" "#))
    #expect(lines[1].hasSuffix(#" viewBox="0 0 49 49" shape-rendering="crispEdges">"#))
    #expect(lines[2] == ##"<rect width="49" height="49" fill="#fff"/>"##)
    #expect(lines[3].wholeMatch(of: /<path fill="#000" d="[Mhvz0-9 -]+"\/>/) != nil)
    #expect(lines[4] == "</svg>")
  }
}
