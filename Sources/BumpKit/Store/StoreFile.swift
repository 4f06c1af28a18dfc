import FoundationEssentials
import Glibc

/// The store's file, private to its owner before a claim is written to it.
enum StoreFile {
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(errno code: Int32) {
      description = String(cString: strerror(code)).lowercased()
    }
  }

  /// The same file by a path from the root. SQLite would take some others for more than paths: `:memory:`, `file:…?…`.
  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// Throws where that cannot be told: a store that one may not see is not one that is missing.
  static func exists(_ path: String) throws -> Bool {
    if access(path, F_OK) == 0 { return true }
    guard errno == ENOENT else { throw Failure(errno: errno) }
    return false
  }

  /// SQLite would call a directory a disk I/O error.
  static func checkIsNoDirectory(_ path: String) throws {
    var information = stat()
    guard stat(path, &information) == 0 else { throw Failure(errno: errno) }
    guard information.st_mode & S_IFMT != S_IFDIR else { throw Failure(errno: EISDIR) }
  }

  /// Makes the file with mode 0600 where it is missing, and its directories with 0700.
  static func prepare(_ path: String) throws {
    let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    if !directory.isEmpty, try !exists(directory) {
      do {
        try FileManager.default.createDirectory(
          atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw Failure(errno: errno)
      }
    }
    // Without opening it: to close it would drop the locks that another store of this process has on it (fcntl(2)).
    guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else { throw Failure(errno: errno) }
    try checkIsNoDirectory(path)
    guard access(path, R_OK | W_OK) == 0 else { throw Failure(errno: errno) }
  }

  /// Takes the file from the eyes of others, whoever made it.
  static func tighten(_ path: String) throws {
    guard chmod(path, 0o600) == 0 else { throw Failure(errno: errno) }
  }
}
