import Testing

@testable import BumpKit

/// Every single bit of every frame of a session, flipped, one at a time.
@Suite struct BitFlipTests {
  @Test(arguments: 0..<OpenVector.frames.count)
  func `a flipped bit ends in nothing, in unknown, or stored once`(frame: Int) throws {
    for bit in 0..<OpenVector.frames[frame].count * 8 {
      var duet = try Duet.vector()
      duet.alter = { index, bytes in
        guard index == frame else { return bytes }
        var bytes = bytes
        bytes[bit / 8] ^= 1 << (bit % 8)
        return bytes
      }
      duet.talk()
      duet.waitOut()

      let isStored = frame == OpenVector.frames.count - 1
      #expect(duet.stored.count == (isStored ? 1 : 0), "frame \(frame), bit \(bit)")
      switch duet.senderEnding {
      case .unknown: #expect(duet.released == 1, "frame \(frame), bit \(bit)")
      case .failed, .declinedThere: #expect(!isStored && duet.released == 0, "frame \(frame), bit \(bit)")
      default:
        Issue.record("frame \(frame), bit \(bit): the sender ended with \(String(describing: duet.senderEnding))")
      }
      #expect(duet.receiverEnding != nil, "frame \(frame), bit \(bit): the receiver hangs")
    }
  }
}
