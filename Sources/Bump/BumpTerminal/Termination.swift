import Glibc
import Synchronization

/// Ends the program.
package enum Termination {
  private static let cleanUp = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets what is done before the program ends.
  package static func prepare(_ cleanUp: @escaping @Sendable () -> Void) { self.cleanUp.withLock { $0 = cleanUp } }

  /// Ends the process without the exit handlers of libraries: OpenSSL's frees what libcurl may be using on its thread.
  /// Nothing waits to be flushed, since output is written at once.
  package static func end(_ status: Int32) -> Never {
    cleanUp.withLock(\.self)?()
    _exit(status)
  }
}
