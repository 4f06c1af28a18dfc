/// Cuts a stream of bytes into frames, and refuses a frame after its third byte:
/// for a type that is not due, or a length that is not the type's, nothing is kept.
public struct FrameDecoder: Sendable {
  private static let headerLength = 3
  private let mode: Mode
  private var buffer: [UInt8] = []

  /// - Parameter mode: the mode of the session, which decides the length of NOISE_1.
  public init(mode: Mode = .open) {
    self.mode = mode
  }

  /// Adds bytes as they came from the wire. Call `next` until it returns `nil` before adding more.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    buffer += bytes
  }

  /// The next frame, or `nil` until more bytes come.
  ///
  /// - Parameter due: the types that may come now.
  /// - Throws: `WireError.frame` where another type, or a wrong length, was announced. The stream is then of no use.
  public mutating func next(due: Set<FrameType>) throws(WireError) -> Frame? {
    guard buffer.count >= Self.headerLength else { return nil }
    let length = Int(buffer[0]) << 8 | Int(buffer[1])
    guard let type = FrameType(rawValue: buffer[2]), due.contains(type), type.lengths(in: mode).contains(length) else {
      throw WireError(.frame, "a frame that is not due, or of a wrong length")
    }
    let end = length + 2
    guard buffer.count >= end else { return nil }
    let frame = Frame(type, Array(buffer[Self.headerLength..<end]))
    buffer.removeSubrange(..<end)
    return frame
  }
}
