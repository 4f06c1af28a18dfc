import Glibc

/// Makes and syncs directories: fsync(2) of a file does not make its name durable, fsync(2) of its directory does.
package enum Directories {
  /// Syncs a directory: names made in it, or removed from it, stay so after a power failure. A file system whose
  /// directories need no syncing says EINVAL (fsync(2)), which is a success.
  ///
  /// - Returns: whether it succeeded; otherwise `errno` has the reason.
  package static func sync(_ path: String) -> Bool {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return false }
    let isDone = fsync(directory) == 0 || errno == EINVAL
    let why = errno
    close(directory)
    errno = why
    return isDone
  }

  /// Makes a directory and its missing parents. Each has mode 0700 from the start: if the mode was changed later,
  /// another user could enter in between.
  ///
  /// - Returns: whether the directory exists; otherwise `errno` has the reason.
  package static func make(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    let above = folder(of: path)
    guard errno == ENOENT, above != path, make(above) else { return false }
    return mkdir(path, 0o700) == 0 || errno == EEXIST
  }

  /// Returns the directory of a path's last component.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Syncs every directory from that of a file up to the root: the program that made a directory may not have synced
  /// it.
  ///
  /// A directory without read permission was not made for the store, and is skipped.
  ///
  /// - Returns: whether it succeeded; otherwise `errno` has the reason.
  package static func syncAll(above path: String) -> Bool {
    guard let directories = all(above: path) else { return false }
    // EROFS: a read-only file system has nothing to sync.
    return directories.allSatisfy { sync($0) || [EACCES, EPERM, EROFS].contains(errno) }
  }

  /// Returns the directories above a file, the nearest first, with symbolic links resolved.
  ///
  /// - Returns: `nil` if the file does not exist; then `errno` has the reason.
  package static func all(above path: String) -> [String]? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    var paths = [folder(of: String(cString: resolved))]
    while let last = paths.last, last != "/" { paths.append(folder(of: last)) }
    return paths
  }
}
