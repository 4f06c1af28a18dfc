// A dispatch source may be cancelled from any thread, but Dispatch does not declare it Sendable yet.
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Ends a command cleanly on Ctrl-C, by cancelling its task.
package enum Interrupt {
  /// Whether a signal was received.
  package static var hasCome: Bool { flag.load(ordering: .relaxed) }
  private static let flag = Atomic(false)

  /// The signals that are handled: those that were not ignored when the process started. `nohup` ignores SIGHUP, and a
  /// shell without job control ignores SIGINT for background processes: the signal is then meant for other processes.
  private static let handled = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }

  /// How a person ends this process, such as `Ctrl-C`. That key reaches only the foreground job, and no process that
  /// ignores SIGINT.
  package static var inWords: String {
    if handled.contains(SIGINT), ForegroundJob.isOurs { return "Ctrl-C" }
    return "`kill \(handled.contains(SIGTERM) ? "" : "-KILL ")\(getpid())`"
  }

  /// Whether a signal is ignored.
  package static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // SIG_IGN is the address 1, which Swift cannot compare as a function.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// The tasks that a signal cancels: the innermost task that `cancels` runs.
  private struct Scopes {
    var open: [(id: Int, cancel: @Sendable () -> Void, isCancelled: Bool)] = []
    var next = 0
    /// Whether a signal was received while no task ran. Then the next task is cancelled at once.
    var isPending = false
  }

  private static let scopes = Mutex(Scopes())

  /// The sources of signals, made once and never cancelled: a second source for a signal receives nothing.
  private struct Sources: @unchecked Sendable {
    let all: [any DispatchSourceSignal]
  }

  private static let sources = Task {
    var sources: [any DispatchSourceSignal] = []
    for number in handled {
      // The default action would end the process before Dispatch receives the signal.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { come(number) }
      await withCheckedContinuation { registered in
        source.setRegistrationHandler { registered.resume() }
        source.resume()
      }
      sources.append(source)
    }
    return Sources(all: sources)
  }

  private static func come(_ number: Int32) {
    flag.store(true, ordering: .relaxed)
    let cancel: (@Sendable () -> Void)? = scopes.withLock { scopes in
      guard let last = scopes.open.indices.last else {
        scopes.isPending = true
        return nil
      }
      if scopes.open[last].isCancelled {
        // Where a terminal is closed, both the kernel and the shell send SIGHUP: the second is no sign of impatience.
        if number == SIGHUP { return nil }
        Termination.end(ExitStatus.interrupted.rawValue)
      }
      scopes.open[last].isCancelled = true
      return scopes.open[last].cancel
    }
    cancel?()
  }

  /// Waits until signals are handled. Call this before printing anything that a user may react to: a signal that
  /// arrives while its source is made is lost, and one that arrives later cancels the next task that `cancels` runs.
  package static func handle() async { _ = await sources.value }

  /// Runs `body` in a task that SIGINT, SIGTERM and SIGHUP cancel, unless they were ignored when the process started. A
  /// second SIGINT or SIGTERM ends the process at once.
  package static func cancels<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws
    -> Value
  {
    await handle()
    let task = Task(operation: body)
    let id = scopes.withLock { scopes in
      defer { scopes.next += 1 }
      scopes.open.append((scopes.next, { task.cancel() }, isCancelled: scopes.isPending))
      if scopes.isPending { task.cancel() }
      scopes.isPending = false
      return scopes.next
    }
    defer {
      scopes.withLock { $0.open.removeAll { $0.id == id } }
    }
    return try await task.value
  }
}
