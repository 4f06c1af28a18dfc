import FoundationEssentials
import Glibc

/// The store's file, private to its owner before SQLite writes a byte of it.
enum StoreFile {
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(errno code: Int32) {
      description = String(cString: strerror(code)).lowercased()
    }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Makes the file with mode 0600, and its directory with 0700 where that is missing too.
  static func prepare(_ path: String) throws {
    let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    if !directory.isEmpty, !exists(directory) {
      do {
        try FileManager.default.createDirectory(
          atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw Failure(errno: errno)
      }
    }
    let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(errno: errno) }
    defer { close(file) }
    guard fchmod(file, 0o600) == 0 else { throw Failure(errno: errno) }
  }
}
