import FoundationEssentials
import Glibc

/// Makes names in directories as durable as the files they stand for: fsync(2) of a file says nothing of its name.
package enum Directories {
  /// Syncs a directory: what was made in it, or removed from it, is so after a power cut too.
  ///
  /// - Returns: whether that was done; else `errno` says why not.
  package static func sync(_ path: String) -> Bool {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return false }
    let isDone = fsync(directory) == 0
    let why = errno
    close(directory)
    errno = why
    return isDone
  }

  /// The directory that a path's last name is in.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Syncs every directory from that of a file up to the root, for whoever made them may not have done so yet.
  /// One that may not be read was not made for the store, and is passed over.
  ///
  /// - Returns: whether that was done; else `errno` says why not.
  static func syncAll(above path: String) -> Bool {
    guard let directories = all(above: path) else { return false }
    // EINVAL: a file system whose directories need no syncing (fsync(2)). EROFS: nobody made anything there.
    return directories.allSatisfy { sync($0) || [EACCES, EPERM, EINVAL, EROFS].contains(errno) }
  }

  /// The directories above a file, the nearest first: where it really lies, since those that a symbolic link passes over
  /// count too.
  ///
  /// - Returns: `nil` where it is not there; then `errno` says why.
  static func all(above path: String) -> [String]? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    var paths = [folder(of: String(cString: resolved))]
    while let last = paths.last, last != "/" { paths.append(folder(of: last)) }
    return paths
  }
}
