import FoundationEssentials
import Glibc

/// The store's file, private to its owner before a claim is written to it.
enum StoreFile {
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

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

  /// Throws for what is no regular file: SQLite would call a directory a disk I/O error, and wait at a FIFO for ever.
  static func checkIsRegular(_ path: String) throws {
    var information = stat()
    guard stat(path, &information) == 0 else { throw Failure(errno: errno) }
    switch information.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw Failure(errno: EISDIR)
    default: throw Failure("it is no regular file")
    }
  }

  /// Makes the file with mode 0600 where it is missing, and its directories with 0700. What is new is on the disk by
  /// its name, from the root on, before anything is written to it.
  static func prepare(_ path: String) throws {
    let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    if !directory.isEmpty, try !exists(directory) { try makeDirectory(directory) }
    // Without opening it: to close it would drop the locks that another store of this process has on it (fcntl(2)).
    guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else { throw Failure(errno: errno) }
    try checkIsRegular(path)
    guard access(path, R_OK | W_OK) == 0 else { throw Failure(errno: errno) }
    var information = stat()
    guard stat(path, &information) == 0 else { throw Failure(errno: errno) }
    // Whoever made it may have been killed before it came to this.
    guard information.st_size > 0 || Directories.syncAll(above: path) else { throw Failure(errno: errno) }
  }

  /// Makes a directory and those above it that are missing. Each has mode 0700 from the first moment: one that is made
  /// with another mode, and changed, could be entered in between.
  private static func makeDirectory(_ path: String) throws {
    let code = mkdir(path, 0o700) == 0 ? 0 : errno
    if code == 0 || code == EEXIST { return }
    let above = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    guard code == ENOENT, !above.isEmpty else { throw Failure(errno: code) }
    try makeDirectory(above)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Failure(errno: errno) }
  }

  /// Takes the file from the eyes of others, whoever made it.
  static func tighten(_ path: String) throws {
    guard chmod(path, 0o600) == 0 else { throw Failure(errno: errno) }
  }
}
