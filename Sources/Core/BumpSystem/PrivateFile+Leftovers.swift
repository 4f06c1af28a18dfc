import Glibc

extension PrivateFile {
  /// A durable temporary file beside the file that it will become. Its name is that file's name, a dot and 64 random
  /// bits in hexadecimal.
  ///
  /// The process that writes it holds a lock on it (flock(2)), which ends with the process. So a file with such a name
  /// and without a lock was left by a killed process.
  struct Temporary {
    let path: String
    private let descriptor: Int32

    init(beside file: String, _ contents: [UInt8]) throws(Failure) {
      (path, descriptor) = try Self.locked(beside: file)
      if let failure = write(contents, to: descriptor) {
        unlink(path)
        close()
        throw failure
      }
    }

    /// Releases the lock.
    func close() { _ = Glibc.close(descriptor) }

    private static func locked(beside file: String) throws(Failure) -> (path: String, descriptor: Int32) {
      while true {
        // mkstemp(3) would leak the descriptor to a child process that is started meanwhile.
        let path = "\(file).\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotMake(errno) }
        // Some network file systems have no locks. There, `removeLeftovers` removes nothing.
        _ = flock(descriptor, LOCK_EX)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
          let code = errno
          _ = Glibc.close(descriptor)
          throw .cannotMake(code)
        }
        if status.st_nlink > 0 { return (path, descriptor) }
        // Another process took the file for a leftover before it was locked.
        _ = Glibc.close(descriptor)
      }
    }
  }

  /// Removes the temporary files that killed processes have left in a directory.
  ///
  /// - Parameter isOurs: returns whether a name is that of a file that this program makes.
  /// - Returns: how many files were removed. Files that cannot be read or removed stay.
  @discardableResult
  package static func removeLeftovers(in directory: String, of isOurs: (Substring) -> Bool) -> Int {
    guard let stream = opendir(directory) else { return 0 }
    defer { closedir(stream) }
    var count = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let dot = name.lastIndex(of: "."), isOurs(name[..<dot]), isSuffix(name[dot...].dropFirst()) else {
        continue
      }
      if removeUnlocked("\(directory)/\(name)") { count += 1 }
    }
    return count
  }

  private static func isSuffix(_ text: Substring) -> Bool {
    UInt64(text, radix: 16).map { String($0, radix: 16) == text } ?? false
  }

  private static func removeUnlocked(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return flock(file, LOCK_EX | LOCK_NB) == 0 && unlink(path) == 0
  }
}
