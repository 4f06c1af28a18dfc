/// Cuts a stream of bytes into frames.
///
/// It rejects a frame after its third byte if its type is not due or its length is not allowed, so a peer cannot make
/// it buffer more than one valid frame.
public struct FrameDecoder: Sendable {
  private static let headerLength = 3
  private let mode: Mode
  private var buffer: [UInt8] = []

  /// Makes a decoder for one connection.
  ///
  /// - Parameter mode: the mode of the session, which decides the length of NOISE_1.
  public init(mode: Mode = .open) {
    self.mode = mode
  }

  /// Appends received bytes. Call `next` until it returns `nil` before appending more.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    buffer += bytes
  }

  /// Removes and returns the next frame; `nil` until it is complete.
  ///
  /// - Parameter due: the types that are allowed now.
  /// - Throws: `WireError.frame` for another type or a length that is not allowed. Close the connection then.
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
