import BumpFiles
import FoundationEssentials
import Glibc

/// A database's file, private to its owner before anything is written to it.
package enum DatabaseFile {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    package init(errno code: Int32) { description = words(errno: code) }
  }

  /// The same file by a path from the root. SQLite would take some others for more than paths: `:memory:`, `file:…?…`.
  package static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// Throws where that cannot be told: a database that one may not see is not one that is missing.
  package static func exists(_ path: String) throws -> Bool {
    if access(path, F_OK) == 0 { return true }
    guard errno == ENOENT else { throw Failure(errno: errno) }
    return false
  }

  /// Throws for what is no regular file: SQLite would call a directory a disk I/O error, and wait at a FIFO for ever.
  package static func checkIsRegular(_ path: String) throws {
    switch try status(of: path).st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw Failure(errno: EISDIR)
    default: throw Failure("it is no regular file")
    }
  }

  /// Makes the file with mode 0600 where it is missing, and its directories with 0700. What is new is on the disk by
  /// its name, from the root on, before anything is written to it.
  package static func prepare(_ path: String) throws {
    let directory = Directories.folder(of: path)
    if try !exists(directory), !Directories.make(directory) { throw Failure(errno: errno) }
    // Without opening it: to close it would drop the locks that another store of this process has on it (fcntl(2)).
    guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else { throw Failure(errno: errno) }
    try checkIsRegular(path)
    guard access(path, R_OK | W_OK) == 0 else { throw Failure(errno: errno) }
    // The process that made the file may have been killed before this.
    guard try status(of: path).st_size > 0 || Directories.syncAll(above: path) else { throw Failure(errno: errno) }
  }

  /// Refuses a file that others may read.
  ///
  /// - Parameter secret: what it holds that they may have read, as a clause.
  package static func checkIsPrivate(_ path: String, since secret: String) throws {
    guard try status(of: path).st_mode & 0o077 == 0 else { throw Failure("others may read it: \(secret)") }
  }

  /// Makes the file private, whoever made it, and its journal, which holds what was in the file. SQLite makes a
  /// journal with the file's mode, and leaves the mode of one that is there.
  package static func tighten(_ path: String) throws {
    guard chmod(path, 0o600) == 0 else { throw Failure(errno: errno) }
    guard chmod("\(path)-journal", 0o600) == 0 || errno == ENOENT else { throw Failure(errno: errno) }
  }

  private static func status(of path: String) throws -> stat {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Failure(errno: errno) }
    return status
  }
}
