import BumpKit
import BumpWire
import Testing

@testable import BumpCLI

@Suite struct FailureSentenceTests {
  private static let peer = "192.0.2.7:4000"

  @Test func `a person that did not answer reads for how long the question was asked`() {
    #expect(
      FailureSentence.of(.unanswered, with: Self.peer, in: .open) == "you did not answer 192.0.2.7 within 60 seconds")
  }

  @Test func `a sender reads its place in a queue, and that its turn did not come`() {
    #expect(SendEvents.queue(of: Self.peer, place: 1) == "192.0.2.7 is busy. You are next in its queue.")
    #expect(SendEvents.queue(of: Self.peer, place: 3) == "192.0.2.7 is busy. You are number 3 in its queue.")
    #expect(Progress.inQueue(of: Self.peer, at: 2, for: 34) == "Number 2 in the queue of 192.0.2.7, for 34 s")
    #expect(
      FailureSentence.of(.noTurn, with: Self.peer, in: .open)
        == "your turn in the queue of 192.0.2.7 did not come")
  }

  @Test func `the other end that gave up had no answer, for whatever reason`() {
    #expect(
      FailureSentence.of(.aborted(.timedOut), with: Self.peer, in: .open)
        == "192.0.2.7 gave up, since no answer from here reached it in time")
  }

  @Test(arguments: [
    (Mode.open, "192.0.2.7 came, and left before it saw the offer"),
    (.code, "192.0.2.7 came without the code, and did not come back with it"),
    (.key, "192.0.2.7 came, and left without showing that it has the key"),
  ])
  func `a receiver that left to ask for the code is said to have come without it`(mode: Mode, words: String) {
    #expect(FailedPeerSentence.of(FailedPeer(address: Self.peer, reason: .leftEarly), in: mode) == words)
  }

  @Test(arguments: [Mode.open, .code, .key])
  func `only a sender without a code and a key reads to add one for a receiver that wants it`(mode: Mode) {
    let wants = FailedPeer(address: Self.peer, reason: .failed(.aborted(.mode)))
    let remedy = FailedPeerSentence.remedy([FailedPeer(reason: .declinedThere), wants], in: mode)
    #expect(remedy == (mode == .open ? "Add --to NAME if you remember that receiver, or else --code" : nil))
    #expect(FailedPeerSentence.remedy([FailedPeer(reason: .declinedThere)], in: mode) == nil)
  }

  @Test(arguments: [Mode.open, .code, .key])
  func `a receiver that was refused reads what its sender's person can do, in every mode`(mode: Mode) {
    let sentence = FailureSentence.of(.notAdmitted, with: Self.peer, in: mode)
    #expect(sentence.hasPrefix("192.0.2.7 refused this machine: "))
    #expect(sentence.contains(#"If its screen asks "Let it try once more?", its person may say y. Otherwise wait"#))
    #expect(sentence.hasSuffix("or use a code") == (mode == .open))
  }
}
