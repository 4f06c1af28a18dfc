import Glibc

/// The three descriptors that a process is expected to begin with.
enum StandardStreams {
  /// Occupies those that are closed. Else the next thing to be opened would have their numbers, a socket perhaps, and
  /// what is said here would go there. They can neither be read nor written, so what goes wrong is noticed.
  ///
  /// - Returns: whether that could be done.
  static func occupy() -> Bool {
    // In this order, as a new descriptor has the lowest number that is free (open(2)).
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
      guard fcntl(descriptor, F_GETFD) < 0 else { continue }
      guard open("/dev/null", mode) == descriptor else { return false }
    }
    return true
  }
}
