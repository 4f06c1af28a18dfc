package import Glibc

/// Follows the path of a private file, and checks that nobody else can put another file in its place, or remove it.
package enum PrivatePath {
  /// Why a path is not used. The number is errno's.
  package enum Failure: Error, Equatable {
    case cannotFollow(Int32)
    case isDirectory
    /// A directory or symbolic link on the way, as in `the directory /srv`, belongs to another user.
    case belongs(String, to: uid_t)
    case othersMayWrite(in: String, isSticky: Bool)

    /// The reason as a clause.
    package var reason: String {
      switch self {
      case .cannotFollow(let code): words(errno: code)
      case .isDirectory: "it \(words(errno: EISDIR))"
      case .belongs(let what, let user): "\(what) \(PrivateFile.Failure.belongs(to: user).refusal)"
      case .othersMayWrite(let folder, _): "others can write in the directory \(folder)"
      }
    }

    /// Returns what to try, as a sentence; `nil` if nothing helps.
    ///
    /// - Parameter command: returns a command's words as text for a shell.
    package func remedy(_ command: ([String]) -> String) -> String? {
      guard case .othersMayWrite(let folder, let isSticky) = self else { return nil }
      return isSticky ? "Use a directory of its own" : "Try: \(command(["chmod", "go-w", folder]))"
    }
  }

  /// Follows the path of a file from the root on, as the kernel does, and checks that nobody else can make it lead
  /// elsewhere. Each directory and symbolic link on the way must belong to this user or root, and others must not be
  /// able to write in the directories. A sticky directory may be writable, since others cannot rename files in it that
  /// are not theirs; but not the last directory.
  ///
  /// - Returns: the path without symbolic links; `nil` if something on the way is missing.
  package static func resolved(_ path: String) throws(Failure) -> String? {
    let absolute = path.hasPrefix("/") ? path : try currentDirectory() + "/" + path
    var (folder, names, links) = ("/", absolute.split(separator: "/").map(String.init)[...], 0)
    let root = try status(of: folder)
    // If root has no number, as in some containers, it appears as the owner of the root directory.
    let trusted = [0, geteuid(), root.st_uid]
    try check(directory: folder, root, as: trusted)
    while let name = names.popFirst() {
      if name == "." { continue }
      if name == ".." {
        folder = Directories.folder(of: folder)
        continue
      }
      let next = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      var status = stat()
      let isMissing = lstat(next, &status) != 0
      if isMissing, errno != ENOENT { throw .cannotFollow(errno) }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        try check(directory: next, status, as: trusted)
        folder = next
      case S_IFLNK:
        try check("the link \(next)", status, as: trusted)
        links += 1
        guard links <= 40 else { throw .cannotFollow(ELOOP) }
        let target = try destination(of: next)
        if target.hasPrefix("/") { folder = "/" }
        names = target.split(separator: "/").map(String.init) + names
      default:
        guard names.isEmpty else {
          if isMissing { return nil }
          throw .cannotFollow(ENOTDIR)
        }
        try check(directory: folder, self.status(of: folder), as: trusted, mayBeSticky: false)
        return isMissing ? nil : next
      }
    }
    throw .isDirectory
  }

  private static func check(
    directory path: String, _ status: stat, as trusted: [uid_t], mayBeSticky: Bool = true
  ) throws(Failure) {
    try check("the directory \(path)", status, as: trusted)
    let isSticky = status.st_mode & S_ISVTX != 0
    guard status.st_mode & 0o022 != 0, !(isSticky && mayBeSticky) else { return }
    throw .othersMayWrite(in: path, isSticky: isSticky)
  }

  private static func check(_ what: String, _ status: stat, as trusted: [uid_t]) throws(Failure) {
    guard trusted.contains(status.st_uid) else { throw .belongs(what, to: status.st_uid) }
  }

  private static func status(of path: String) throws(Failure) -> stat {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .cannotFollow(errno) }
    return status
  }

  private static func currentDirectory() throws(Failure) -> String {
    guard let path = realpath(".", nil) else { throw .cannotFollow(errno) }
    defer { free(path) }
    return String(cString: path)
  }

  private static func destination(of link: String) throws(Failure) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    guard count >= 0 else { throw .cannotFollow(errno) }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
