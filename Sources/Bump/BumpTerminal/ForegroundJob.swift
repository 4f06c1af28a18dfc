// A dispatch source may be cancelled from any thread, but Dispatch does not declare it Sendable yet.
@preconcurrency import Dispatch
import Glibc

/// The foreground job of the terminal. Only that job receives what is typed (POSIX.1 11.1.4), and may write the last
/// line of the screen.
package enum ForegroundJob {
  /// Whether this process belongs to the foreground job. True also without a terminal, or if the terminal has no jobs.
  package static var isOurs: Bool {
    // tcgetpgrp(3) fails for all but the controlling terminal.
    let group = [STDIN_FILENO, STDERR_FILENO].lazy.map { tcgetpgrp($0) }.first { $0 >= 0 }
    return group == nil || group == getpgrp()
  }

  /// How often to check in the background: a shell that brings a running job to the foreground sends no signal.
  static var interval: DispatchTimeInterval { .milliseconds(200) }

  /// Checks, until it is cancelled, whether this process is in the foreground: every 200 ms, and when it is continued,
  /// as after Ctrl-Z and `fg`.
  final class Watch: Sendable {
    private let sources: (any DispatchSourceTimer, any DispatchSourceSignal)

    /// Returns once no continuation can be missed: the user may press Ctrl-Z as soon as a question is asked.
    ///
    /// - Parameter look: called on the queue. `isContinued` is whether the process was continued; then the screen may
    ///   have changed.
    init(on queue: DispatchQueue, look: @escaping @Sendable (_ isContinued: Bool) -> Void) {
      sources = (
        DispatchSource.makeTimerSource(queue: queue), DispatchSource.makeSignalSource(signal: SIGCONT, queue: queue)
      )
      sources.0.schedule(deadline: .now() + interval, repeating: interval, leeway: interval)
      sources.0.setEventHandler { look(false) }
      sources.1.setEventHandler { look(true) }
      let isRegistered = DispatchSemaphore(value: 0)
      sources.1.setRegistrationHandler { isRegistered.signal() }
      sources.0.resume()
      sources.1.resume()
      isRegistered.wait()
    }

    func cancel() {
      sources.0.cancel()
      sources.1.cancel()
    }
  }
}
