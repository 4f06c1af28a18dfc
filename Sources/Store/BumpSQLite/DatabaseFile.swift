import BumpSystem
import BumpText
import FoundationEssentials
import Glibc

/// A database's file, private to its owner before anything is written to it.
package enum DatabaseFile {
  /// The reason why a file is not opened or made as a database.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
    /// What to try, as a sentence; `nil` if nothing helps.
    package let remedy: String?

    package init(_ description: String, remedy: String? = nil) {
      (self.description, self.remedy) = (description, remedy)
    }

    package init(errno code: Int32) { self.init(words(errno: code)) }
  }

  /// Returns the path from the root. SQLite would give some other paths a meaning of their own: `:memory:`, `file:…?…`.
  package static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// Returns whether a file exists.
  ///
  /// - Throws: `Failure` if that is unknown: a database in a directory that may not be searched is not missing.
  package static func exists(_ path: String) throws -> Bool {
    if access(path, F_OK) == 0 { return true }
    guard errno == ENOENT else { throw Failure(errno: errno) }
    return false
  }

  /// Makes the file with mode 0600 if it is missing, and its directories with 0700. Before anything is written to a new
  /// file, its name is on the disk, from the root on.
  ///
  /// - Returns: the path to open, as returned by `checked`.
  package static func prepare(_ path: String) throws -> String {
    // A path that would be refused gets no file.
    _ = try resolved(path)
    let directory = Directories.folder(of: path)
    if try !exists(directory), !Directories.make(directory) { throw Failure(errno: errno) }
    // The file is not opened here: closing it would drop the locks that another store of this process has on it
    // (fcntl(2)).
    guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else { throw Failure(errno: errno) }
    guard access(path, R_OK | W_OK) == 0 else { throw Failure(errno: errno) }
    // The process that made the file may have been killed before it was durable.
    guard try status(of: path).st_size > 0 || Directories.syncAll(above: path) else { throw Failure(errno: errno) }
    return try checked(path)
  }

  /// What to try where SQLite cannot keep a write-ahead log, whose index several processes share in memory.
  package static let remedyForLog = "Keep it on a local disk, in a directory in which its owner may make files"

  /// What the names of SQLite's files beside a database end in.
  package static let companions = ["-journal", "-wal", "-shm"]

  /// Checks, before SQLite opens a database, that nobody else can read or change it, and that it is a regular file:
  /// SQLite would wait forever at a FIFO.
  ///
  /// The file and SQLite's files beside it, such as the journal, must belong to this user or root, and others must not
  /// be able to read them: SQLite trusts the journal's pages, and opens it by name. Nor may others be able to replace
  /// one of these files: see `PrivatePath`.
  ///
  /// - Returns: the path of the file without symbolic links, beside which SQLite has its other files.
  package static func checked(_ path: String) throws -> String {
    guard let path = try resolved(path) else { throw Failure(errno: ENOENT) }
    for suffix in [""] + companions {
      var status = stat()
      guard lstat(path + suffix, &status) == 0 else {
        if errno == ENOENT, !suffix.isEmpty { continue }
        throw Failure(errno: errno)
      }
      do {
        try PrivateFile.check(status)
      } catch {
        let what = suffix.isEmpty ? "it" : "its file \(path + suffix)"
        throw Failure(
          "\(what) \(error.refusal)",
          // The path may be a mistake.
          remedy: error.remedy(for: path + suffix).map { "If it is a store: \(ShellCommand.text($0))" })
      }
    }
    return path
  }

  /// Returns the path without symbolic links; `nil` if something on the way is missing.
  ///
  /// - Throws: `Failure` if somebody else can make the path lead elsewhere.
  private static func resolved(_ path: String) throws -> String? {
    do {
      return try PrivatePath.resolved(path)
    } catch {
      throw Failure(error.reason, remedy: error.remedy(ShellCommand.text))
    }
  }

  private static func status(of path: String) throws -> stat {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Failure(errno: errno) }
    return status
  }
}
