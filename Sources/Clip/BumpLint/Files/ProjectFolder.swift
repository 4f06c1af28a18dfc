import Glibc

/// Reads the files of a project that the linter checks. Follows no symbolic link out of the folder, and reads neither
/// devices nor pipes.
public enum ProjectFolder {
  /// The greatest number of entries in all folders together.
  static let entryLimit = 200_000
  /// The greatest depth of folders within each other.
  static let depth = 32
  /// The greatest number of bytes of all files together.
  static let byteLimit = 67_108_864

  /// Why a folder cannot be read.
  public struct Failure: Error {
    /// What is wrong, as a clause without a full stop.
    public let reason: String
    /// What to do, as a sentence without a full stop.
    public let remedy: String
  }

  /// Reads the files of a folder, in the order of their paths. A folder below it that cannot be opened is among them,
  /// as a file that cannot be read.
  ///
  /// - Throws: `Failure` if the folder cannot be read, or has more than the limits above allow.
  public static func read(_ folder: String) throws(Failure) -> [SourceFile] {
    try read(folder, entries: entryLimit, bytes: byteLimit)
  }

  static func read(_ folder: String, entries: Int, bytes: Int) throws(Failure) -> [SourceFile] {
    guard
      let root = realpath(folder, nil).map({ path in
        defer { free(path) }
        return String(cString: path)
      })
    else { throw Failure(reason: "the folder \(folder) cannot be read", remedy: "Name a folder that is there") }
    var walk = FolderWalk(root: root, entryLimit: entries, byteLimit: bytes)
    let descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(reason: "\(folder) is not a folder, or cannot be read", remedy: "Name a folder")
    }
    try walk.folder(descriptor, "", 0)
    return walk.files
  }
}

private struct FolderWalk {
  let root: String
  let entryLimit: Int
  let byteLimit: Int
  private(set) var files: [SourceFile] = []
  private var entries = 0
  private var bytes = 0

  init(root: String, entryLimit: Int, byteLimit: Int) {
    (self.root, self.entryLimit, self.byteLimit) = (root, entryLimit, byteLimit)
  }

  /// Returns whether to skip a folder: nobody edits what tools generate or bring along. `.well-known` is the only
  /// hidden folder that is read.
  private static func isSkipped(_ name: String) -> Bool {
    if name.hasPrefix(".") { return name != ".well-known" }
    if ["Pods", "Carthage", "DerivedData", "node_modules", "build"].contains(name) { return true }
    // Not `.app`: a site's folder is named like its host.
    return [".framework", ".xcframework", ".xcworkspace", ".xcassets", ".bundle", ".xcarchive"]
      .contains { name.hasSuffix($0) }
  }

  /// Reads a folder, and closes its descriptor.
  mutating func folder(_ descriptor: Int32, _ path: String, _ level: Int) throws(ProjectFolder.Failure) {
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      return
    }
    defer { closedir(stream) }
    for name in try names(in: stream).sorted() {
      let path = path.isEmpty ? name : "\(path)/\(name)"
      var status = stat()
      guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR where !Self.isSkipped(name):
        guard level < ProjectFolder.depth else {
          throw ProjectFolder.Failure(
            reason: "\(path) is more than \(ProjectFolder.depth) folders deep", remedy: "Name a folder within it")
        }
        let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else {
          files.append(SourceFile(path: path, failure: "it is a folder that cannot be opened"))
          continue
        }
        try self.folder(folder, path, level + 1)
      case S_IFREG where SourceFile.kind(of: path) != nil: try file(openat(descriptor, name, Self.flags), path)
      case S_IFLNK where SourceFile.kind(of: path) != nil: try link(path)
      default: break
      }
    }
  }

  /// The flags for opening a file. A pipe that has taken a file's place in the meantime must not block.
  private static let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC

  /// Returns the names in a folder, except those that are not UTF-8: the linter reads no file with such a name.
  private mutating func names(in stream: OpaquePointer) throws(ProjectFolder.Failure) -> [String] {
    var names: [String] = []
    while let entry = readdir(stream) {
      entries += 1
      guard entries <= entryLimit else {
        throw ProjectFolder.Failure(
          reason: "the folder has more than \(entryLimit) entries", remedy: "Name a folder within it")
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(validating: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Reads the file that a symbolic link leads to, if the file is in the folder.
  private mutating func link(_ path: String) throws(ProjectFolder.Failure) {
    guard let target = realpath("\(root)/\(path)", nil) else {
      return files.append(SourceFile(path: path, failure: "it is a symbolic link to nothing"))
    }
    defer { free(target) }
    guard String(cString: target).hasPrefix(root == "/" ? "/" : root + "/") else {
      return files.append(SourceFile(path: path, failure: "it is a symbolic link out of the folder"))
    }
    try file(open(target, Self.flags), path)
  }

  /// Reads a file, and closes its descriptor.
  private mutating func file(_ descriptor: Int32, _ path: String) throws(ProjectFolder.Failure) {
    guard descriptor >= 0 else { return files.append(SourceFile(path: path, failure: "it cannot be opened")) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return files.append(SourceFile(path: path, failure: "it is not a regular file"))
    }
    guard let content = FileContent.read(descriptor) else {
      return files.append(SourceFile(path: path, failure: "it cannot be read"))
    }
    bytes += content.count
    guard bytes <= byteLimit else {
      throw ProjectFolder.Failure(
        reason: "the files have more than \(byteLimit) bytes together", remedy: "Name a folder within it")
    }
    files.append(SourceFile(path: path, content: content))
  }
}
