import BumpTerminal
import Testing

@Suite struct TerminalDrawingTests {
  @Test(arguments: [("a", 1), ("7", 42), (sampleLink().text, 1), ("a", 2953)])
  func `every module is black or white and in its place`(piece: String, count: Int) throws {
    let code = try QRCode(String(repeating: piece, count: count))
    let drawing = TerminalDrawing(code)
    for terminal in [Terminal.dark, .light] {
      let pixels = try Screen(terminal, showing: drawing.text).pixels
      // Two modules of quiet zone above, and one below.
      #expect(pixels.count == code.size + 3)
      #expect(pixels == expectedPixels(code))
    }
  }

  private func expectedPixels(_ code: QRCode) -> [[RGB]] {
    let side = code.size + 4
    var pixels = Array(repeating: Array(repeating: RGB.white, count: side), count: side - 1)
    for row in 0..<code.size {
      for column in 0..<code.size where code[row, column] {
        pixels[row + 2][column + 2] = .black
      }
    }
    return pixels
  }

  @Test(arguments: [("a", 1, 25, 12), (sampleLink().text, 1, 45, 22), ("a", 2953, 181, 90)])
  func `rows and columns are those that a terminal shows`(
    piece: String, count: Int, columns: Int, rows: Int
  ) throws {
    let drawing = TerminalDrawing(try QRCode(String(repeating: piece, count: count)))
    #expect(drawing.columns == columns)
    #expect(drawing.rows == rows)
    let pixels = try Screen(.dark, showing: drawing.text).pixels
    #expect(pixels.count == 2 * rows)
    #expect(pixels.allSatisfy { $0.count == columns })
  }

  @Test func `each line stands alone`() throws {
    let drawing = TerminalDrawing(try QRCode("a"))
    let whole = try Screen(.dark, showing: drawing.text).pixels
    let alone = try drawing.lines.flatMap { try Screen(.dark, showing: $0 + "\n").pixels }
    #expect(alone == whole)
  }

  @Test func `on eight colours it is black on light grey`() throws {
    let drawing = TerminalDrawing(try QRCode("a"))
    let pixels = try Screen(.eightColors, showing: drawing.text).pixels
    #expect(Set(pixels.joined()) == [.black, .lightGrey])
    #expect(pixels.first?.allSatisfy { $0 == .lightGrey } == true)
  }

  @Test(arguments: bases, amounts)
  func `a claim link leaves two rows of 24, for a line below it and the cursor`(base: String, amount: String) throws {
    for link in randomLinks(base: base, amount: amount, count: 300) {
      let drawing = TerminalDrawing(try QRCode(link.text))
      #expect(drawing.rows <= 22 && drawing.columns <= 80, "\(link.text)")
    }
  }
}
