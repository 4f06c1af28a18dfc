import Testing

@testable import BumpTerminal

/// Messages on narrow terminals.
@Suite struct WrappedTextTests {
  private static let advice =
    "Nobody was found in time. Claim nK2jqA1b is kept. Try `bump send --again nK2jqA1b` for another receiver, or `bump link "
    + "nK2jqA1b` for its link"

  @Test func `no word is broken, nor a command between backticks`() {
    #expect(
      WrappedText.of(Self.advice, columns: 60) == """
        Nobody was found in time. Claim nK2jqA1b is kept. Try
        `bump send --again nK2jqA1b` for another receiver, or
        `bump link nK2jqA1b` for its link
        """)
  }

  @Test func `a command behind a colon is one line, which a terminal breaks if it is too long`() {
    #expect(
      WrappedText.of("A link of 1.00 USDC still works. To send that: bump send --again nK2jqA1b", columns: 40) == """
        A link of 1.00 USDC still works. To send
        that: bump send --again nK2jqA1b
        """)
    #expect(
      WrappedText.of("Listening. On the other machine: bump receive --peer 192.0.2.7:4000", columns: 24) == """
        Listening. On the other
        machine:
        bump receive --peer 192.0.2.7:4000
        """)
  }

  @Test func `a wide terminal and a table get the text as it is`() {
    #expect(WrappedText.of(Self.advice, columns: 80) == Self.advice)
    let table = "  Name          \"Alexandra von und zu Hohenschwangau\""
    #expect(WrappedText.of(table, columns: 40) == table)
  }
}
