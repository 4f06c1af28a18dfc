// A dispatch source may be cancelled from any thread, but Dispatch does not declare it Sendable yet.
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Stops this process at SIGTSTP (Ctrl-Z), as the system would, but hides a question first: a line that is typed after
/// the stop may be read before Dispatch has received SIGCONT.
package enum StopSignal {
  private struct State {
    var hide: (@Sendable () -> Void)?
    var lastContinued: ContinuousClock.Instant?
  }

  private static let state = Mutex(State())

  /// The source of SIGTSTP, made once and never cancelled: from then on, Dispatch handles the signal. `nil` if SIGTSTP
  /// was ignored when the process started.
  private static let source: (any DispatchSourceSignal)? = {
    guard !Interrupt.isIgnored(SIGTSTP) else { return nil }
    let source = DispatchSource.makeSignalSource(signal: SIGTSTP, queue: Prompt.terminal)
    source.setEventHandler { stop() }
    let isRegistered = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { isRegistered.signal() }
    source.resume()
    isRegistered.wait()
    return source
  }()

  /// Sets the function to call on the terminal's queue before each stop, in place of the previous one. If SIGTSTP was
  /// ignored when the process started, the process does not stop.
  package static func hideBefore(_ hide: @escaping @Sendable () -> Void) {
    state.withLock { $0.hide = hide }
    _ = source
  }

  /// Whether a stop ended less than a second ago: SIGCONT is about to be received. A process in an orphaned process
  /// group does not stop (POSIX.1 11.1.4), and receives none.
  package static var hasJustEnded: Bool {
    state.withLock { $0.lastContinued.map { $0.duration(to: .now) < .seconds(1) } ?? false }
  }

  /// Hides the question, and takes the signal's default action, which stops all threads. Returns when the process is
  /// continued.
  private static func stop() {
    state.withLock(\.hide)?()
    var (ours, normal, mask, before) = (sigaction(), sigaction(), sigset_t(), sigset_t())
    normal.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(SIGTSTP, &normal, &ours)
    sigemptyset(&mask)
    sigaddset(&mask, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &mask, &before)
    raise(SIGTSTP)
    state.withLock { $0.lastContinued = .now }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    sigaction(SIGTSTP, &ours, nil)
  }
}
