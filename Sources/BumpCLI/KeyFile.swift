import BumpKit
import FoundationEssentials
import Glibc

/// A shared key in a file: its 32 bytes in base64, on one line. Nobody but its owner may read it.
enum KeyFile {
  /// The key of the file that an argument names, else the environment.
  static func named(_ argument: String?) throws -> SharedKey? {
    try (argument ?? Environment.value("BUMP_KEY_FILE")).map(read)
  }

  /// Reads a key.
  ///
  /// - Throws: `CommandError` of usage where others can read the file, or it holds no key.
  static func read(_ path: String) throws -> SharedKey {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path, "cannot be read: \(reason())") }
    defer { close(file) }
    // What was opened is what is looked at: the name may stand for another file by now.
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw failure(path, "is no file") }
    guard status.st_mode & 0o077 == 0 else {
      throw failure(path, "can be read by others; mend it with: chmod 600 \(path)")
    }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
    guard
      count > 0, let text = String(validating: bytes.prefix(count), as: UTF8.self),
      let key = Base64.decoded(text.hasSuffix("\n") ? String(text.dropLast()) : text).flatMap(SharedKey.init)
    else { throw failure(path, "holds no key; make one with: bump key new FILE") }
    return key
  }

  /// Makes a new key in a new file of mode 0600. It never overwrites.
  ///
  /// - Throws: `CommandError` where the file is there already, or cannot be written.
  static func create(_ path: String, random: RandomBytes = .system) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw CommandError(.failure, "the key file \(path) cannot be made: \(reason()); name another")
    }
    defer { close(file) }
    let line = Array((Base64.encoded(random.draw(SharedKey.length)) + "\n").utf8)
    let isWritten = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == line.count && fsync(file) == 0
    guard isWritten else {
      let why = reason()
      unlink(path)
      throw CommandError(.failure, "the key file \(path) cannot be written: \(why)")
    }
  }

  private static func failure(_ path: String, _ what: String) -> CommandError {
    CommandError(.usage, "the key file \(path) \(what)")
  }

  private static func reason() -> String { String(cString: strerror(errno)).lowercased() }
}
