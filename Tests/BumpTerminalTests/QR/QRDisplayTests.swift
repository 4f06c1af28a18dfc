import Testing

@testable import BumpTerminal

/// The link beside its QR code.
@Suite struct QRDisplayTests {
  private static let drawing = [String](repeating: "####", count: 4)

  @Test(arguments: [
    // Two rows for the link, four for the code, one for the note and one for the cursor.
    (8, 32, drawing), (7, 32, ["####  https://a.example/claim/x", "####  #s=secret", "####", "####"]),
    (7, 28, ["####  https://a.example/cla", "####  im/x#s=secret", "####", "####"]),
    (7, 22, drawing),
  ])
  func `a link whose line scrolls away is beside the code, whole or not at all`(
    rows: Int, columns: Int, lines: [String]
  ) {
    let link = "https://a.example/claim/x#s=secret"
    #expect(QRDisplay.lines(Self.drawing, columns: 4, besides: link, in: (rows, columns)) == lines)
  }

  @Test func `on a terminal of unknown size the code stands alone`() {
    #expect(QRDisplay.lines(Self.drawing, columns: 4, besides: "https://a.example", in: nil) == Self.drawing)
  }
}
