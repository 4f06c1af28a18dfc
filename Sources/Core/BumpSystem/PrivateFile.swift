package import Glibc

/// Reads and makes secret files, which only their owner may read.
package enum PrivateFile {
  /// Why a file could not be read or made. The numbers are errno's.
  package enum Failure: Error, Equatable {
    case cannotOpen(Int32)
    case isNoRegularFile
    /// The file belongs to another user, who can read and replace it whatever its mode.
    case belongs(to: uid_t)
    case othersMayRead
    /// The file is root's, and its group may do more than read it, or others may read it.
    case moreThanItsGroupMayRead
    /// The file is larger than the caller allows.
    case isLarger(than: Int)
    case cannotMake(Int32)
    case cannotWrite(Int32)

    /// The reason as a predicate, without a subject.
    package var reason: String {
      switch self {
      case .cannotOpen(let code), .cannotMake(let code), .cannotWrite(let code):
        words(errno: code)
      case .isNoRegularFile: "not a regular file"
      case .belongs: "another user's"
      case .othersMayRead: "others could read it"
      case .moreThanItsGroupMayRead: "others could read it, or its group write to it"
      case .isLarger(let limit): "larger than \(limit) bytes"
      }
    }
  }

  /// Who may read a file besides its owner.
  package enum Readers: Sendable {
    case nobody
    /// The group of a file that is root's, so that a server that is not root reads the key of its host. PostgreSQL has
    /// this rule for its `ssl_key_file`.
    case groupOfRoot
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - limit: the most bytes to read.
  ///   - isWhole: whether to reject a file with more bytes. The size is checked before the mode: a user who named the
  ///     wrong file must not be told to change that file's mode.
  ///   - user: the user who may own the file, besides root.
  ///   - readers: who may read the file besides its owner.
  /// - Returns: the file's first bytes. The caller wipes them.
  package static func read(
    _ path: String, limit: Int, isWhole: Bool = false, as user: uid_t = geteuid(), readers: Readers = .nobody
  ) throws(Failure) -> [UInt8] {
    // Without O_NONBLOCK, opening a FIFO blocks until there is a writer.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .cannotOpen(errno) }
    defer { close(file) }
    // Check the descriptor: the name may belong to another file by now.
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .isNoRegularFile }
    if isWhole, status.st_mode & S_IFMT == S_IFREG, status.st_size > limit { throw .isLarger(than: limit) }
    try check(status, as: user, readers: readers)
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw .cannotOpen(errno) }
    bytes.removeLast(limit - count)
    return bytes
  }

  /// Checks who may read a file and write to it, and that its owner is root or this user.
  ///
  /// - Parameters:
  ///   - status: the file's status.
  ///   - user: the user who may own the file, besides root.
  ///   - readers: who may read the file besides its owner.
  package static func check(
    _ status: stat, as user: uid_t = geteuid(), readers: Readers = .nobody
  ) throws(Failure) {
    guard status.st_mode & S_IFMT == S_IFREG else { throw .isNoRegularFile }
    guard [0, user].contains(status.st_uid) else { throw .belongs(to: status.st_uid) }
    if readers == .groupOfRoot, status.st_uid == 0 {
      guard status.st_mode & 0o037 == 0 else { throw .moreThanItsGroupMayRead }
      return
    }
    guard status.st_mode & 0o077 == 0 else { throw .othersMayRead }
  }

  /// Makes a file of mode 0600: completely, durably and under its name, or not at all. It never overwrites a file.
  ///
  /// A process that is killed meanwhile leaves nothing, except on file systems without O_TMPFILE, such as FAT: there it
  /// may leave a temporary file, which `removeLeftovers` removes.
  package static func create(_ path: String, _ contents: [UInt8]) throws(Failure) {
    if try !createUnnamed(path, contents) { try createNamed(path, contents) }
    guard Directories.sync(Directories.folder(of: path)) else {
      let code = errno
      unlink(path)
      throw .cannotWrite(code)
    }
  }

  /// Replaces a file by one of mode 0600, or makes it. After a crash there is either the old file or the new one,
  /// complete. A crash may also leave a temporary file, which `removeLeftovers` removes.
  package static func replace(_ path: String, _ contents: [UInt8]) throws(Failure) {
    let temporary = try Temporary(beside: path, contents)
    defer { temporary.close() }
    guard rename(temporary.path, path) == 0 else {
      let code = errno
      unlink(temporary.path)
      throw .cannotWrite(code)
    }
    guard Directories.sync(Directories.folder(of: path)) else { throw .cannotWrite(errno) }
  }

  /// Writes a durable file without a name, and then gives it its name (O_TMPFILE, open(2)).
  ///
  /// - Returns: false if the file system does not support this; then nothing was made.
  private static func createUnnamed(_ path: String, _ contents: [UInt8]) throws(Failure) -> Bool {
    let file = open(Directories.folder(of: path), O_WRONLY | unnamed | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    if let failure = write(contents, to: file) { throw failure }
    if linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return true }
    if errno == EEXIST { throw .cannotWrite(EEXIST) }
    return false
  }

  private static func createNamed(_ path: String, _ contents: [UInt8]) throws(Failure) {
    let temporary = try Temporary(beside: path, contents)
    defer { temporary.close() }
    let failure = move(temporary.path, to: path)
    unlink(temporary.path)
    if let failure { throw failure }
  }

  /// O_TMPFILE, a macro that Swift does not import.
  private static let unnamed = 0o20_000_000 | O_DIRECTORY

  /// Writes a file durably, unless others could read the file.
  static func write(_ contents: [UInt8], to file: Int32) -> Failure? {
    // On some file systems all files have the modes of the mount.
    var status = stat()
    guard fstat(file, &status) == 0 else { return .cannotMake(errno) }
    guard status.st_mode & 0o077 == 0 else { return .othersMayRead }
    var rest = contents[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { return .cannotWrite(errno) }
      rest = rest.dropFirst(count)
    }
    return fsync(file) == 0 ? nil : .cannotWrite(errno)
  }

  /// Gives a file its final name by link(2), which fails if the name exists; rename(2) would overwrite the existing
  /// file.
  private static func move(_ temporary: String, to path: String) -> Failure? {
    if link(temporary, path) == 0 { return nil }
    // The file system has no hard links, such as FAT: reserve the name with an empty file, which rename(2) replaces.
    // Over FUSE, link(2) fails with ENOSYS on kernels before 6.16; on some network file systems, with EOPNOTSUPP.
    guard [EPERM, ENOSYS, EOPNOTSUPP].contains(errno) else { return .cannotWrite(errno) }
    let taken = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard taken >= 0 else { return .cannotWrite(errno) }
    close(taken)
    if rename(temporary, path) == 0 { return nil }
    let code = errno
    // A power failure before this leaves the empty file, which no reader takes for a secret.
    unlink(path)
    return .cannotWrite(code)
  }
}
