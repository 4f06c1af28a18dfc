import BumpSession
import Testing

@testable import BumpStore

@Suite struct DeadlineTests {
  @Test func `a sender's store gives a receiver at least the time that the receiver takes to store a claim`() {
    #expect(.seconds(AnswerDeadline.margin) >= Times.stored)
  }
}
