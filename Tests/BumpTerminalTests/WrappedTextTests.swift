import Testing

@testable import BumpTerminal

/// Messages and questions in lines that fit a terminal.
@Suite struct WrappedTextTests {
  private static let advice =
    "Nobody was found in time. Claim nK2jqA1b is kept. Try `bump send --again nK2jqA1b` for another receiver, or `bump link "
    + "nK2jqA1b` for its link"

  /// Returns the lines of a message without the spaces at their ends, by which they can be joined again.
  private func broken(_ message: String, columns: Int) -> String {
    let lines = WrappedText.of(message, columns: columns)
    #expect(lines.replacing(" \n", with: " ") == message)
    return lines.replacing(" \n", with: "\n")
  }

  @Test func `no word is broken, nor a command between backticks`() {
    #expect(
      broken(Self.advice, columns: 60) == """
        Nobody was found in time. Claim nK2jqA1b is kept. Try
        `bump send --again nK2jqA1b` for another receiver, or
        `bump link nK2jqA1b` for its link
        """)
  }

  @Test func `a command behind a colon is one line, which a terminal breaks if it is too long`() {
    #expect(
      broken("A link of 1.00 USDC still works. To send that: bump send --again nK2jqA1b", columns: 40) == """
        A link of 1.00 USDC still works. To
        send that: bump send --again nK2jqA1b
        """)
    #expect(
      broken("Listening. On the other machine: bump receive --peer 192.0.2.7:4000", columns: 24) == """
        Listening. On the other
        machine:
        bump receive --peer 192.0.2.7:4000
        """)
  }

  @Test func `a terminal of eighty columns breaks no word either`() {
    #expect(
      broken(Self.advice, columns: 80) == """
        Nobody was found in time. Claim nK2jqA1b is kept. Try
        `bump send --again nK2jqA1b` for another receiver, or `bump link nK2jqA1b` for
        its link
        """)
  }

  @Test(arguments: 8...80) func `an amount keeps its token, and digits to compare are not broken`(columns: Int) {
    let question = "Does the sender's screen show 676 381? Accept 12345.678901 USDC?"
    let lines = WrappedText.of(question, columns: columns).split(separator: "\n")
    #expect(lines.contains { $0.contains("676 381?") } && lines.contains { $0.contains("12345.678901 USDC?") })
    #expect(lines.joined() == question)
    if columns >= 18 { #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)") }
  }

  @Test(arguments: 8...80)
  func `a question breaks at words up to its hint, which may have a line of its own`(columns: Int) {
    let (text, end) = ("Accept 6.04 USDC? ", "[y/n] ")
    let (question, hint) = WrappedText.of(text, hint: end, columns: columns)
    let whole = question + hint
    #expect(whole.replacing(" \n", with: " ") == text + end)
    #expect(
      question.filter { $0 != "\n" } == text && hint.filter { $0 != "\n" } == end, "the answer is typed behind the hint"
    )
    #expect(whole.split(separator: "\n").allSatisfy { $0.count <= max(columns + 1, 11) }, "\(whole)")
  }

  @Test func `a question with two spaces, as a name may have them, stays as it is`() {
    let (question, hint) = WrappedText.of("Has \"a  b\" the 1.00 USDC? ", hint: "[y/n] ", columns: 8)
    #expect(question == "Has \"a  b\" the 1.00 USDC? " && hint == "[y/n] ")
  }

  @Test func `a message of several lines keeps them`() {
    #expect(broken("One line.\nTwo words here", columns: 10) == "One line.\nTwo words\nhere")
  }

  @Test func `a terminal that is wide enough and a table get the text as it is`() {
    #expect(WrappedText.of(Self.advice, columns: 200) == Self.advice)
    let table = "  Name          \"Alexandra von und zu Hohenschwangau\""
    #expect(WrappedText.of(table, columns: 40) == table)
  }
}
