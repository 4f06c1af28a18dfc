import BumpKit

/// Any stream, in pieces of any size, in every mode, whatever is due: the frames are the stream's, and a wrong one is
/// refused with its third byte.
func fuzzFrames(_ input: UnsafeBufferPointer<UInt8>) {
  var program = Program(input)
  let mode = program.pick(Mode.allCases)
  let mask = UInt16(program.byte()) | UInt16(program.byte()) << 8
  let due = Set(FrameType.allCases.enumerated().filter { mask >> $0.offset & 1 == 1 }.map(\.element))
  let size = max(1, Int(program.byte()))
  let stream = program.remainder()

  let whole = read(stream, size: max(1, stream.count), mode, due)
  check(stream.starts(with: whole.frames.flatMap(\.bytes)), "frames that are not the stream's")
  for frame in whole.frames {
    check(due.contains(frame.type), "a frame that is not due")
    check(frame.type.lengths(in: mode).contains(frame.body.count + 1), "a frame of a wrong length")
  }

  let pieces = read(stream, size: size, mode, due)
  check(pieces.frames == whole.frames, "other frames in pieces")
  check((pieces.refusedAt == nil) == (whole.refusedAt == nil), "refused in pieces or whole, and not both")

  let single = read(stream, size: 1, mode, due)
  check(single.frames == whole.frames, "other frames byte by byte")
  let given = whole.frames.reduce(0) { $0 + $1.bytes.count }
  check(single.refusedAt.map { $0 == given + 3 } ?? true, "a wrong frame that is not refused with its third byte")
  check(whole.refusedAt != nil || stream.count - given < 2 + 1074, "more kept than one frame")
}

/// The frames of a stream, and how many bytes were read when it was refused.
private func read(
  _ stream: [UInt8], size: Int, _ mode: Mode, _ due: Set<FrameType>
) -> (frames: [Frame], refusedAt: Int?) {
  var decoder = FrameDecoder(mode: mode)
  var frames: [Frame] = []
  for start in stride(from: 0, to: stream.count, by: size) {
    let end = min(start + size, stream.count)
    decoder.append(stream[start..<end])
    do {
      while let frame = try decoder.next(due: due) { frames.append(frame) }
    } catch {
      return (frames, end)
    }
  }
  return (frames, nil)
}
