// A dispatch source may be cancelled from any thread, but Dispatch does not declare it Sendable yet.
@preconcurrency import Dispatch
import Glibc

/// The foreground job of the terminal: what is typed there is for that job alone (POSIX.1 11.1.4), and the last line of the
/// screen is that job's too.
enum ForegroundJob {
  /// Whether this process belongs to it; also without a terminal, or where the terminal has no jobs.
  static var isOurs: Bool {
    // It fails for all but the controlling terminal (tcgetpgrp(3)).
    let group = [STDIN_FILENO, STDERR_FILENO].lazy.map { tcgetpgrp($0) }.first { $0 >= 0 }
    return group == nil || group == getpgrp()
  }

  /// How often to look for it in the background: a shell that brings a running job to the foreground sends no signal.
  static var interval: DispatchTimeInterval { .milliseconds(200) }

  /// Looks, until it is cancelled, whether this process came to the foreground: each 200 ms, and when it is continued, as
  /// after Ctrl-Z and `fg`.
  final class Watch: Sendable {
    private let sources: (any DispatchSourceTimer, any DispatchSourceSignal)

    /// Returns once no continuation is missed any more: a question may be left with Ctrl-Z as soon as it is asked.
    ///
    /// - Parameter look: called on the queue; true where the process was continued. What was on the screen may be gone then.
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
