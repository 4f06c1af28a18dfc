import Glibc

/// The standard input where no person is asked.
package enum StandardInput {
  /// The greatest length of a line in bytes: four times that of the longest link.
  private static let limit = 4096

  /// Reads one line, or what there is of it at the end of the input.
  ///
  /// - Throws: `CommandError` if it is longer than the limit.
  package static func line() throws -> String {
    var bytes: [UInt8] = []
    // One byte at a time: what follows the line stays for whoever reads next.
    var byte: UInt8 = 0
    while read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
      guard bytes.count < limit else {
        throw CommandError(.failure, "the input is not a link: its first line has more than \(limit) bytes")
      }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
