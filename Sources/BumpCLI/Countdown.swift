import Synchronization

/// Shows that something is waited for, from the first second on: `Waiting for a receiver… 8 s`.
final class Countdown: Sendable {
  private let task: Task<Void, Never>
  private let console: Console
  private let isPaused: PauseFlag

  /// - Parameter time: how long it may take.
  init(_ what: String, _ time: Duration, _ console: Console) {
    let isPaused = PauseFlag()
    (self.console, self.isPaused) = (console, isPaused)
    let clock = ContinuousClock()
    let start = clock.now
    // Elsewhere than on a terminal it is said once, and nothing wakes up for more.
    let end = max(1, min(time.components.seconds, console.rewritesStatus ? .max : 2))
    task = Task {
      for second in 1..<end {
        guard (try? await clock.sleep(until: start + .seconds(second))) != nil else { return }
        let line = "\(what)… \(max(0, time.components.seconds - second)) s"
        if !isPaused.value { console.setStatus(line, first: second == 1) }
      }
    }
  }

  /// Somebody is there: nothing to wait for, for now.
  func pause() {
    isPaused.value = true
    console.clearStatus()
  }

  func resume() { isPaused.value = false }

  func stop() {
    task.cancel()
    pause()
  }
}

private final class PauseFlag: Sendable {
  private let flag = Mutex(false)

  var value: Bool {
    get { flag.withLock(\.self) }
    set { flag.withLock { $0 = newValue } }
  }
}
