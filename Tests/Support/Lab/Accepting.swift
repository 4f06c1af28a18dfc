import CLab
import Glibc

/// Waits for a connection to a listening socket, and takes it such that no child process inherits it. Blocks its thread.
///
/// - Returns: its descriptor, or -1 where the listener has been shut down.
public func acceptConnection(on listener: Int32) -> Int32 {
  var descriptor = lab_accept(listener)
  while descriptor == -1, errno == EINTR { descriptor = lab_accept(listener) }
  return descriptor
}
