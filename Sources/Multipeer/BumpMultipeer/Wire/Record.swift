/// Records, as both ends send them over TCP: a big-endian `u16` length, then that many bytes.
enum Record {
  static let header = 2

  static func bytes(_ content: [UInt8]) -> [UInt8] { bytes { $0 += content } }

  /// Makes a record of the bytes that a closure appends. Appending in place saves a copy of each frame.
  static func bytes(_ append: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = [0, 0]
    append(&bytes)
    let count = bytes.count - header
    precondition((1...MultipeerLimits.record).contains(count))
    (bytes[0], bytes[1]) = (UInt8(count >> 8), UInt8(count & 0xFF))
    return bytes
  }
}

/// Cuts a stream of bytes into records.
struct RecordDecoder: Sendable {
  private var buffer: [UInt8] = []
  private var start = 0

  mutating func append(_ bytes: [UInt8]) {
    if start == buffer.count {
      buffer = bytes
    } else {
      buffer.removeSubrange(..<start)
      buffer += bytes
    }
    start = 0
  }

  /// Removes and returns the next record; `nil` until it is complete. The record is a slice of the buffer: copy it to
  /// keep it.
  ///
  /// - Parameter limit: the greatest length of a record now. A longer one is rejected once its length is read, so a
  ///   peer cannot make this buffer hold more than one allowed record.
  mutating func next(limit: Int) throws(MultipeerError) -> ArraySlice<UInt8>? {
    let content = start + Record.header
    guard buffer.count >= content else { return nil }
    let length = Int(buffer[start]) << 8 | Int(buffer[start + 1])
    guard (1...limit).contains(length) else { throw MultipeerError(.record, "a record of a wrong length") }
    let end = content + length
    guard buffer.count >= end else { return nil }
    defer { start = end }
    return buffer[content..<end]
  }
}
