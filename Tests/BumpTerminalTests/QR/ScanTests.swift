import BumpTerminal
import Lab
import Testing

/// One scanner at a time: they are processes.
@Suite(.serialized, .processes()) struct ScanTests {
  private static let terminals = [Terminal.dark, .light, .eightColors]

  private func expectScan(_ text: String) async throws {
    let drawing = TerminalDrawing(try QRCode(text)).text
    for terminal in Self.terminals {
      #expect(try await scan(Screen(terminal, showing: drawing).photograph) == text)
    }
  }

  @Test(arguments: bases, amounts)
  func `a claim link is read back`(base: String, amount: String) async throws {
    try await expectScan(sampleLink(base: base, amount: amount).text)
  }

  @Test(arguments: randomLinks(base: defaultBase, amount: "12.50", count: 10).map(\.text))
  func `random claim links are read back`(link: String) async throws {
    try await expectScan(link)
  }

  @Test(arguments: [
    ("a", 1), ("HTTPS://IRL.APP", 1), ("31415926535897932384626433832795", 1), ("two\nlines", 1), (" spaces ", 1),
    ("a", 2953),
  ])
  func `a text is read back`(piece: String, count: Int) async throws {
    try await expectScan(String(repeating: piece, count: count))
  }

  @Test(arguments: [true, false])
  func `a claim link that is drawn in ASCII is read back`(colored: Bool) async throws {
    let link = sampleLink().text
    let drawing = TerminalDrawing(ascii: try QRCode(link), colored: colored)
    #expect(drawing.text.utf8.allSatisfy { $0 < 0x80 })
    #expect(drawing.text.contains("\u{1B}") == colored)
    // Without colours only a terminal that is light shows no negative.
    for terminal in colored ? Self.terminals : [.light] {
      let screen = try Screen(terminal, showing: drawing.text)
      #expect(screen.pixels.count == 2 * drawing.rows && screen.pixels.allSatisfy { $0.count == drawing.columns })
      #expect(try await scan(screen.photograph) == link)
    }
  }

  @Test func `what is not ASCII is there as UTF-8`() async throws {
    let drawing = TerminalDrawing(try QRCode("Grüße, 世界"))
    #expect(try await scan(Screen(.dark, showing: drawing.text).photograph, asBytes: true) == "Grüße, 世界")
  }
}
