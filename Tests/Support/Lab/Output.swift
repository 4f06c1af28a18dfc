import Foundation
import Glibc

/// How a process is connected to its test.
public enum Streams: Sendable {
  /// Three pipes: nobody can be asked.
  case pipes
  /// One terminal of 80 × 24 for all three.
  case terminal
  /// The terminal for input and error, a pipe for the output: a person is asked, a program reads the result.
  case terminalButOutput
}

/// What a process wrote to one stream, as it comes.
public final class Output: Sendable {
  struct Written: Sendable {
    var bytes: [UInt8] = []
    var isComplete = false
  }

  let written = ObservedValue(Written())

  /// All bytes so far.
  public var bytes: [UInt8] { written.value.bytes }

  /// All text so far, with the messages that were broken for a terminal joined again.
  public var text: String { String(decoding: Self.joined(bytes), as: UTF8.self) }

  /// All text so far as the terminal got it.
  public var screen: String { String(decoding: bytes, as: UTF8.self) }

  /// The complete lines so far, without their ends, joined as `text` is.
  public var lines: [String] { Self.lines(of: bytes) }

  /// Joins the lines of messages that were broken for a terminal. Those end in a space, before what a terminal makes of a
  /// newline.
  static func joined(_ bytes: [UInt8]) -> [UInt8] {
    // A pipe has no line that is broken: all of it is taken at once. Tests once spent most of their time here.
    guard position(of: UInt8(ascii: "\r"), in: bytes[...]) != nil else { return bytes }
    var joined: [UInt8] = []
    var rest = bytes[...]
    while let end = position(of: UInt8(ascii: "\n"), in: rest) {
      joined += rest[...end]
      if rest[...end].suffix(3).elementsEqual([0x20, 0x0D, 0x0A]) { joined.removeLast(2) }
      rest = rest[(end + 1)...]
    }
    return joined + rest
  }

  /// The position of the first such byte: memchr, since a loop over bytes is slow in a build for tests.
  private static func position(of byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, let found = memchr(start, Int32(byte), buffer.count) else { return nil }
      return bytes.startIndex + (found - UnsafeMutableRawPointer(mutating: start))
    }
  }

  static func lines(of bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    var rest = joined(bytes)[...]
    while let end = position(of: UInt8(ascii: "\n"), in: rest) {
      let line = rest[..<end]
      lines.append(String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self))
      rest = rest[(end + 1)...]
    }
    return lines
  }

  /// Reads the descriptor to its end in a thread of its own, then closes it.
  func read(from descriptor: Int32) {
    Thread.detachNewThread { [written] in
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 {
          written.change { $0.bytes += buffer[..<count] }
        } else if count == 0 || errno != EINTR {
          // A terminal that nobody holds open any more says EIO where a pipe says 0.
          break
        }
      }
      close(descriptor)
      written.change { $0.isComplete = true }
    }
  }

  /// The first thing the search gives of the bytes so far; nil where the stream ends before.
  func first<Result: Sendable>(_ search: @escaping @Sendable ([UInt8]) -> Result?) async throws -> Result? {
    try await written.wait { written -> Result?? in
      if let result = search(written.bytes) { return .some(result) }
      return written.isComplete ? .some(nil) : nil
    }
  }

  func complete() async throws {
    try await written.wait { $0.isComplete ? () : nil }
  }
}
