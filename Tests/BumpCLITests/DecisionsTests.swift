import Testing

@testable import BumpCLI

/// The answers of a program that decides (`--decide`).
@Suite struct DecisionsTests {
  @Test(arguments: [("y 1\n", true, 1), ("n 1\n", false, 1), ("y 20\n", true, 20)])
  func `an answer is y or n, a space, the number and a newline`(line: String, isYes: Bool, question: Int) {
    #expect(Decisions.answer(line).map { [$0.isYes == isYes, $0.question == question] } == [true, true])
  }

  @Test(arguments: [
    "y 1", "y 12", "y 01\n", "y +1\n", "y -0\n", "y  1\n", " y 1\n", "y\t1\n", "y 1 \n", "y 1\r\n", "y 1\0\n", "Y 1\n",
    "yes 1\n", "y 1 n 1\n", "y1\n", "y \u{661}\n", "y 99999999999999999999\n", "y\u{301} 1\n", "y\n", "y \n", "1\n",
    "\n", "",
  ])
  func `anything else answers nothing`(line: String) {
    #expect(Decisions.answer(line) == nil)
  }
}
