import BumpSystem
import Glibc

/// A lock on a product, for one process at a time. The kernel releases it when the process ends, for whatever reason.
struct ProductLock: ~Copyable {
  private let file: Int32

  /// Locks a product. Waits up to five seconds for another process.
  init(_ path: String) throws(PhoneError) {
    guard Directories.make(Directories.folder(of: path)) else { throw PhoneError(errno: errno, at: path) }
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw PhoneError(errno: errno, at: path) }
    var left = 500
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        let code = errno
        close(file)
        throw PhoneError(errno: code, at: path)
      }
      guard left > 0 else {
        close(file)
        throw PhoneError(.busy, "another process holds \(path)", remedy: "Try again when that process has ended")
      }
      left -= 1
      usleep(10_000)
    }
    self.file = file
  }

  deinit { close(file) }
}
