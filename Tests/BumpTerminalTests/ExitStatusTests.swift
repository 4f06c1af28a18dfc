import Testing

@testable import BumpTerminal

@Suite struct ExitStatusTests {
  @Test(arguments: [
    (BumpTerminal.ExitStatus.success, Int32(0)), (.failure, 1), (.nobody, 3), (.declined, 4), (.unknown, 5),
    (.unauthenticated, 6),
    (.expired, 7), (.alreadyPaid, 8), (.usage, 64), (.interrupted, 130),
  ])
  func `an exit status is a contract with scripts`(status: BumpTerminal.ExitStatus, number: Int32) {
    #expect(status.rawValue == number)
  }
}
