import BumpClaims
import BumpWire
import Testing

@Suite struct FrameTests {
  @Test(arguments: [
    (FrameType.hello, UInt8(0x01), 22...22), (.welcome, 0x02, 63...63), (.pakeR, 0x03, 33...33),
    (.pakeS, 0x04, 33...33), (.noise1, 0x05, 33...33),
    (.noise2, 0x06, 49...49),
    (.sealed, 0x07, 18...1074), (.queued, 0x08, 10...10), (.abort, 0x0F, 2...2),
  ])
  func `a type has its byte and its lengths`(type: FrameType, byte: UInt8, lengths: ClosedRange<Int>) {
    #expect(type.rawValue == byte)
    #expect(type.lengths(in: .open) == lengths)
    for mode in [Mode.code, .key] {
      #expect(type.lengths(in: mode) == (type == .noise1 ? 49...49 : lengths), "a psk gives NOISE_1 a tag")
    }
  }

  @Test func `a sealed frame has room for the longest message and no more`() throws {
    let typeByte = 1
    let messageType = 1
    let tag = 16
    #expect(
      FrameType.sealed.lengths(in: .open).upperBound == typeByte + messageType + WireLimits.mac + ClaimLimits.claim
        + tag)
    #expect(FrameType.sealed.lengths(in: .open).lowerBound == typeByte + messageType + tag)
  }

  @Test func `a frame is its length, big-endian, its type and its body`() {
    #expect(Frame(.abort, [3]).bytes == [0x00, 0x02, 0x0F, 0x03])
    let body = [UInt8](repeating: 7, count: 299)
    #expect(Frame(.sealed, body).bytes == [0x01, 0x2C, 0x07] + body)
  }

  @Test(arguments: AbortReason.allCases)
  func `a reason to give up is one byte`(reason: AbortReason) {
    #expect(reason.frame.bytes == [0, 2, 0x0F, reason.rawValue])
  }

  @Test func `the reasons have the numbers of the protocol`() {
    #expect(AbortReason.allCases.map(\.rawValue) == Array(1...8))
  }
}
