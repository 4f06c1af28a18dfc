import Glibc

/// Reads files that are not secret.
package enum PlainFile {
  /// Why a file could not be read. The number is errno's.
  package enum Failure: Error, Equatable {
    case cannotRead(Int32)
    case isNoRegularFile

    /// The reason, without a subject.
    package var reason: String {
      switch self {
      case .cannotRead(let code): words(errno: code)
      case .isNoRegularFile: "it is not a regular file"
      }
    }
  }

  /// Reads a file.
  ///
  /// - Parameter limit: the most bytes to read.
  /// - Returns: the file's first bytes.
  package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
    // Without O_NONBLOCK, opening a FIFO blocks until there is a writer.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .isNoRegularFile }
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let more = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress.map { $0 + count }, limit - count) }
      guard more >= 0 else { throw .cannotRead(errno) }
      if more == 0 { break }
      count += more
    }
    bytes.removeLast(limit - count)
    return bytes
  }
}
