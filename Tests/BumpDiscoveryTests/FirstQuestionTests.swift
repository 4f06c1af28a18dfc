import Testing

@testable import BumpDiscovery

@Suite struct FirstQuestionTests {
  @Test func `it is one question for pointers, and wants an answer to itself alone`() throws {
    // RFC 1035 §4.1: a header with one question; then its name, type and class. RFC 6762 §18.12: the top bit of the class.
    let header: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    let name = Array("\u{9}_irl-bump\u{4}_tcp\u{5}local\0".utf8)
    #expect(FirstQuestion.packet(.irlBump) == header + name + [0, 12, 0x80, 1])
  }
}
