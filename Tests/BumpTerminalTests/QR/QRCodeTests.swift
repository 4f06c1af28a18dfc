import BumpTerminal
import Lab
import Testing

@Suite struct QRCodeTests {
  /// The most that versions 1, 6 and 40 hold at level L (ISO/IEC 18004 table 7): digits, capitals, bytes.
  @Test(arguments: [
    ("7", 41, 21), ("A", 25, 21), ("a", 17, 21),
    ("7", 322, 41), ("A", 195, 41), ("a", 134, 41),
    ("7", 7089, 177), ("A", 4296, 177), ("a", 2953, 177),
  ])
  func `a text takes the smallest version at level L`(character: Character, most: Int, size: Int) throws {
    #expect(try QRCode(String(repeating: character, count: most)).size == size)
    let oneMore = String(repeating: character, count: most + 1)
    if size == 177 {
      #expect(throws: QRCodeError(.tooLong, "")) { try QRCode(oneMore) }
    } else {
      #expect(try QRCode(oneMore).size == size + 4)
    }
  }

  @Test func `digits among letters take less room than bytes alone`() throws {
    let mixed = String(repeating: "a", count: 100) + String(repeating: "7", count: 60)
    #expect(mixed.utf8.count > 134)
    #expect(try QRCode(mixed).size == 41)
  }

  @Test(arguments: ["a", "A7", sampleLink().text])
  func `the symbol stands upright`(text: String) throws {
    let code = try QRCode(text)
    let far = code.size - 7
    #expect(code.hasFinder(row: 0, column: 0))
    #expect(code.hasFinder(row: 0, column: far))
    #expect(code.hasFinder(row: far, column: 0))
    #expect(!code.hasFinder(row: far, column: far))
    // The one module that is dark by definition, and the two that say level L (ISO/IEC 18004 §7.9).
    #expect(code[far - 1, 8] && code[8, 0] && code[8, 1])
  }

  @Test func `upper and lower case are two texts`() throws {
    #expect(try QRCode("bump") != QRCode("BUMP"))
    #expect(try QRCode("bump") == QRCode("bump"))
  }

  @Test(arguments: [
    ("", 1, QRCodeError.Code.empty),
    ("\0", 1, .nullCharacter),
    ("https://irl.app/claim\0", 1, .nullCharacter),
    // Fewer characters than fit, but more bytes.
    ("é", 1500, .tooLong),
  ])
  func `what no symbol can hold is refused`(piece: String, count: Int, code: QRCodeError.Code) {
    #expect(throws: QRCodeError(code, "")) { try QRCode(String(repeating: piece, count: count)) }
  }

  @Test func `ten megabytes are refused`() {
    #expect(throws: QRCodeError(.tooLong, "")) { try QRCode(String(repeating: "7", count: 10_000_000)) }
  }

  @Test func `a refusal says how long the text was`() {
    let error = #expect(throws: QRCodeError.self) { try QRCode(String(repeating: "a", count: 3000)) }
    #expect(error?.description == "3000 bytes are too many for a QR code. Shorten the text")
  }
}

extension QRCode {
  /// The bull's-eye of a corner: rings of dark, light, dark around a dark 3 by 3.
  fileprivate func hasFinder(row: Int, column: Int) -> Bool {
    (-3...3).allSatisfy { y in
      (-3...3).allSatisfy { x in self[row + 3 + y, column + 3 + x] == (max(abs(x), abs(y)) != 2) }
    }
  }
}
