import Samples
import Testing

@testable import BumpWire

@Suite struct FrameDecoderTests {
  private static let all = Set(FrameType.allCases)

  /// Each type at its shortest and its longest.
  private static let frames = FrameType.allCases.flatMap { type in
    [type.lengths(in: .open).lowerBound, type.lengths(in: .open).upperBound].map { length in
      Frame(type, (1..<length).map { UInt8(truncatingIfNeeded: $0) })
    }
  }

  /// The first three bytes of a frame.
  private static func header(_ type: UInt8, _ length: Int) -> [UInt8] {
    [UInt8(length >> 8), UInt8(length & 0xFF), type]
  }

  private func drain(_ decoder: inout FrameDecoder) throws -> [Frame] {
    var frames: [Frame] = []
    while let frame = try decoder.next(due: Self.all) { frames.append(frame) }
    return frames
  }

  @Test(arguments: [1, 2, 3, 5, 16, 1000, 1_000_000])
  func `a stream in pieces of any size gives the frames that it gives whole`(size: Int) throws {
    let stream = Self.frames.flatMap(\.bytes)
    var decoder = FrameDecoder()
    var frames: [Frame] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      decoder.append(stream[start..<min(start + size, stream.count)])
      frames += try drain(&decoder)
    }
    #expect(frames == Self.frames)
  }

  @Test(arguments: FrameType.allCases)
  func `a frame is there with its last byte, not before`(type: FrameType) throws {
    let frame = Frame(type, [UInt8](repeating: 1, count: type.lengths(in: .open).lowerBound - 1))
    var decoder = FrameDecoder()
    decoder.append(frame.bytes.dropLast())
    #expect(try decoder.next(due: [type]) == nil)
    decoder.append(frame.bytes.suffix(1))
    #expect(try decoder.next(due: [type]) == frame)
    #expect(try decoder.next(due: [type]) == nil)
  }

  /// Every type with the lengths beside those that are allowed, and the extremes of the length field.
  static let wrongLengths = FrameType.allCases.flatMap { type in
    [0, 1, type.lengths(in: .open).lowerBound - 1, type.lengths(in: .open).upperBound + 1, 65_535].map { (type, $0) }
  }

  @Test(arguments: wrongLengths)
  func `a wrong length is refused with the third byte`(type: FrameType, length: Int) throws {
    let header = Self.header(type.rawValue, length)
    var decoder = FrameDecoder()
    decoder.append(header.prefix(2))
    #expect(try decoder.next(due: [type]) == nil)
    decoder.append(header.suffix(1))
    #expect(throws: WireError(.frame, "")) { try decoder.next(due: [type]) }
  }

  @Test func `a type that is unknown is refused with the third byte, whatever its length`() throws {
    for type in UInt8.min ... .max where FrameType(rawValue: type) == nil {
      for length in [0, 1, 2, 18, 22, 33, 34, 49, 50, 63, 1074, 65_535] {
        var decoder = FrameDecoder()
        decoder.append(Self.header(type, length))
        #expect(throws: WireError(.frame, "")) { try decoder.next(due: Self.all) }
      }
    }
  }

  @Test(arguments: FrameType.allCases)
  func `a type that is not due is refused with the third byte`(type: FrameType) {
    var decoder = FrameDecoder()
    decoder.append(Self.header(type.rawValue, type.lengths(in: .open).lowerBound))
    #expect(throws: WireError(.frame, "")) { try decoder.next(due: Self.all.subtracting([type])) }
  }

  @Test func `what is due is asked anew for every frame`() throws {
    var decoder = FrameDecoder()
    decoder.append(AbortReason.busy.frame.bytes + AbortReason.busy.frame.bytes)
    #expect(try decoder.next(due: [.abort]) == AbortReason.busy.frame)
    #expect(throws: WireError(.frame, "")) { try decoder.next(due: [.sealed]) }
  }

  @Test func `a stream that was refused gives nothing any more`() {
    var decoder = FrameDecoder()
    decoder.append(Self.header(0xFF, 2))
    for _ in 0..<2 {
      #expect(throws: WireError(.frame, "")) { try decoder.next(due: Self.all) }
      decoder.append(AbortReason.busy.frame.bytes)
    }
  }

  @Test func `nothing is kept of a frame that was given out`() throws {
    var decoder = FrameDecoder()
    for frame in Self.frames {
      decoder.append(frame.bytes)
      _ = try drain(&decoder)
      let kept = try #require(Mirror(reflecting: decoder).children.first { $0.label == "buffer" }?.value as? [UInt8])
      #expect(kept.isEmpty)
    }
  }

  @Test func `no stream of random bytes is taken for more than it is`() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<2000 {
      var decoder = FrameDecoder()
      let stream = random.bytes(Int.random(in: 0...200, using: &random))
      decoder.append(stream)
      guard let frames = try? drain(&decoder) else { continue }
      #expect(stream.starts(with: frames.flatMap(\.bytes)))
    }
  }
}
