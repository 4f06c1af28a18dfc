import Measures
import Testing

@testable import BumpSession

/// Every single bit of every frame of a session, flipped, one at a time; in the first measure one of each eleven.
@Suite struct BitFlipTests {
  @Test(arguments: try SessionVector.all().flatMap { vector in vector.frames.indices.map { (vector, $0) } })
  func `a flipped bit ends in nothing, in unknown, or stored once`(vector: SessionVector, frame: Int) throws {
    for bit in stride(from: 0, to: vector.frames[frame].count * 8, by: Measure.isThorough ? 1 : 11) {
      var duet = try SessionPair(vector)
      duet.alter = { index, bytes in
        guard index == frame else { return bytes }
        var bytes = bytes
        bytes[bit / 8] ^= 1 << (bit % 8)
        return bytes
      }
      duet.talk()
      duet.waitOut()

      let isStored = frame == vector.frames.count - 1
      #expect(duet.stored.count == (isStored ? 1 : 0), "bit \(bit)")
      switch duet.senderEnding {
      case .unknown: #expect(duet.released == 1, "bit \(bit)")
      case .failed, .declinedThere, .leftEarly: #expect(!isStored && duet.released == 0, "bit \(bit)")
      default: Issue.record("bit \(bit): the sender ended with \(String(describing: duet.senderEnding))")
      }
      #expect(duet.receiverEnding != nil, "bit \(bit): the receiver hangs")
    }
  }
}
