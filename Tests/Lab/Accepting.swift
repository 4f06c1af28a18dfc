import Glibc
import Synchronization

/// Waits for a connection to a listening socket, and takes it such that no child process inherits it. Blocks its thread.
///
/// - Returns: its descriptor, or -1 where the listener has been shut down.
public func acceptConnection(on listener: Int32) -> Int32 {
  var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
  while poll(&waiting, 1, -1) == -1, errno == EINTR {}
  // Swift does not see accept4, and a child made between these two calls would keep the connection open.
  return Descriptors.lock.withLock { _ in
    let descriptor = accept(listener, nil, nil)
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return descriptor
  }
}
