// A dispatch source may be cancelled from any thread; Dispatch does not say so to Swift yet.
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Ctrl-C and its kin end what runs cleanly, by cancelling its task.
enum Interrupt {
  /// Whether there was one.
  static var hasCome: Bool { flag.load(ordering: .relaxed) }
  private static let flag = Atomic(false)

  /// Runs `body` in a task that SIGINT, SIGTERM and SIGHUP cancel. A second one ends the process at once.
  static func cancels<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let (signals, feed) = AsyncStream.makeStream(of: Void.self)
    var sources: [any DispatchSourceSignal] = []
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Ignored first, or it ends the process before Dispatch sees it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { feed.yield() }
      // Heeded before anything of the body is done: whoever sees its first word may interrupt it.
      await withCheckedContinuation { registered in
        source.setRegistrationHandler { registered.resume() }
        source.resume()
      }
      sources.append(source)
    }
    let task = Task(operation: body)
    let watcher = Task {
      for await _ in signals {
        flag.store(true, ordering: .relaxed)
        if task.isCancelled { exit(ExitStatus.interrupted.rawValue) }
        task.cancel()
      }
    }
    defer {
      watcher.cancel()
      for source in sources { source.cancel() }
    }
    return try await task.value
  }
}
