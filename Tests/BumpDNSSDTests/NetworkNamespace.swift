import Glibc

/// A network namespace (network_namespaces(7)), which stays as long as this. Needs root.
final class NetworkNamespace: Sendable {
  private let descriptor: Int32

  init(ofProcess id: Int) {
    descriptor = open("/proc/\(id)/ns/net", O_RDONLY | O_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// Runs a body on this thread within the namespace.
  func enter(_ body: () -> Void) {
    let home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
    defer { close(home) }
    precondition(setns(descriptor, cloneNewNet) == 0, "cannot enter the namespace")
    body()
    precondition(setns(home, cloneNewNet) == 0, "cannot come back")
  }
}

// Swift's Glibc has no GNU extensions.
private let cloneNewNet: Int32 = 0x4000_0000
private let setns = unsafeBitCast(dlsym(nil, "setns"), to: (@convention(c) (Int32, Int32) -> Int32).self)
