import BumpKit
import FoundationEssentials
import Glibc

/// A shared key in a file: its 32 bytes in base64, on one line. Only its owner may read it, who is this user or root.
enum KeyFile {
  /// The key of the file that an argument names, else the environment.
  static func named(_ argument: String?) throws -> SharedKey? {
    try (argument ?? Environment.value("BUMP_KEY_FILE")).map { try read($0) }
  }

  /// Reads a key.
  ///
  /// - Parameter user: the user who may own the file, beside root.
  /// - Throws: `CommandError` of usage where the file is another user's, others can read it, or it holds no key.
  static func read(_ path: String, as user: uid_t = geteuid()) throws -> SharedKey {
    // Without O_NONBLOCK, opening a FIFO waits for a writer.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw failure(path, "cannot be read: \(reason())") }
    defer { close(file) }
    // What was opened is what is looked at: the name may stand for another file by now.
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure(path, "is no regular file")
    }
    // The file's owner may read and replace the key, whatever its mode says.
    guard [0, user].contains(status.st_uid) else {
      throw failure(path, "belongs to \(name(of: status.st_uid)); it must be yours or root's")
    }
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

  /// Makes a new key in a new file of mode 0600, on the disk under its name. It never overwrites.
  ///
  /// - Throws: `CommandError` where the file is there already, or cannot be written.
  static func create(_ path: String, random: RandomBytes = .system) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw CommandError(.failure, "the key file \(path) cannot be made: \(reason()); name another")
    }
    defer { close(file) }
    let line = Array((Base64.encoded(random.draw(SharedKey.length)) + "\n").utf8)
    let isWritten =
      line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == line.count && fsync(file) == 0
      && Directories.sync(Directories.folder(of: path))
    guard isWritten else {
      let why = reason()
      unlink(path)
      throw CommandError(.failure, "the key file \(path) cannot be written: \(why)")
    }
  }

  private static func name(of user: uid_t) -> String {
    getpwuid(user).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "the user \(user)"
  }

  private static func failure(_ path: String, _ what: String) -> CommandError {
    CommandError(.usage, "the key file \(path) \(what)")
  }

  private static func reason() -> String { String(cString: strerror(errno)).lowercased() }
}
