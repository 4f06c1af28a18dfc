import Glibc

/// The three descriptors that every process should start with.
package enum StandardStreams {
  /// Opens those that are closed. Otherwise the next file or socket would get their numbers, and messages would be
  /// written to it. They are opened so that using them fails, and the failure is noticed.
  ///
  /// - Returns: whether it succeeded.
  package static func occupy() -> Bool {
    // In this order, since a new descriptor gets the lowest free number (open(2)).
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
      guard fcntl(descriptor, F_GETFD) < 0 else { continue }
      guard open("/dev/null", mode) == descriptor else { return false }
    }
    return true
  }
}
