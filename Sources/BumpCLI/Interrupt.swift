import Dispatch
import Glibc

/// Ctrl-C and its kin end what runs cleanly, by cancelling its task.
enum Interrupt {
  /// Runs `body` in a task that SIGINT, SIGTERM and SIGHUP cancel. A second one ends the process at once.
  static func cancels<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task(operation: body)
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if task.isCancelled { exit(ExitStatus.interrupted.rawValue) }
        task.cancel()
      }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
    }
    return try await task.value
  }
}
