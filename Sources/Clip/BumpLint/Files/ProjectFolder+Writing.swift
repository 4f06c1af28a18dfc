import Glibc

extension ProjectFolder {
  /// The result of writing a file.
  public enum Written: Sendable {
    /// The file was made, or its content replaced.
    case written
    /// The file had this content already.
    case unchanged
  }

  /// Writes a file below a folder, completely or not at all, and makes the folders above it. Follows no symbolic link
  /// below the folder.
  ///
  /// - Parameters:
  ///   - path: the path below the folder.
  ///   - replacing: whether to replace a file with other content.
  /// - Throws: `Failure` if there is another file and it is not to be replaced, or if the file cannot be written.
  public static func write(
    _ content: [UInt8], to path: String, in folder: String, replacing: Bool
  ) throws(Failure) -> Written {
    var parts = path.split(separator: "/").map(String.init)
    let name = parts.removeLast()
    func failure(_ what: String) -> Failure {
      Failure(reason: "\(path) cannot be written: \(what)", remedy: "Look at the folder \(folder)")
    }
    let isThere = Failure(reason: "\(path) is there, with something else in it", remedy: "Replace it with --force")
    var directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if directory >= 0 { close(directory) } }
    for part in parts where directory >= 0 {
      mkdirat(directory, part, 0o777)
      let next = openat(directory, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      close(directory)
      directory = next
    }
    guard directory >= 0 else { throw failure("a part of its path is not a folder, or is a symbolic link") }

    let existing = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if existing >= 0 {
      defer { close(existing) }
      if FileContent.read(existing) == content { return .unchanged }
    }
    var status = stat()
    if !replacing, fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
      throw isThere
    }
    let temporary = ".\(name).\(getpid())"
    let file = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure("no file can be made there") }
    defer { unlinkat(directory, temporary, 0) }
    let failed = failure("the disk is full, or something else is in its place")
    let isComplete = FileContent.write(content, file)
    guard close(file) == 0, isComplete else { throw failed }
    if !replacing {
      // A second link replaces nothing, not even a file that was made in the meantime. Some file systems have none.
      if linkat(directory, temporary, directory, name, 0) == 0 { return .written }
      if errno == EEXIST { throw isThere }
    }
    guard renameat(directory, temporary, directory, name) == 0 else { throw failed }
    return .written
  }
}

/// Reads and writes all bytes of a descriptor.
enum FileContent {
  /// Reads up to one byte more than a file may have, so that the caller notices a file that is too long; `nil` if the
  /// descriptor cannot be read.
  static func read(_ descriptor: Int32) -> [UInt8]? {
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while content.count <= SourceFile.limit {
      let count = Glibc.read(descriptor, &piece, min(piece.count, SourceFile.limit + 1 - content.count))
      if count == 0 { return content }
      if count > 0 { content += piece[..<count] } else if errno != EINTR { return nil }
    }
    return content
  }

  /// Writes the bytes.
  ///
  /// - Returns: whether all of them were written.
  static func write(_ content: [UInt8], _ descriptor: Int32) -> Bool {
    var rest = content[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || count < 0 && errno == EINTR else { return false }
      rest = rest.dropFirst(max(count, 0))
    }
    return true
  }
}
