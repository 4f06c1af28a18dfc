import Synchronization

/// Shows that something is waited for, from the first second on: `Waiting for a receiver… 8 s`.
final class Countdown: Sendable {
  private let task: Task<Void, Never>
  private let console: Console
  private let pausing: Pause

  /// - Parameter time: how long it may take.
  init(_ what: String, _ time: Duration, _ console: Console) {
    let pausing = Pause()
    (self.console, self.pausing) = (console, pausing)
    let clock = ContinuousClock()
    let start = clock.now
    // Elsewhere than on a terminal it is said once, and nothing wakes up for more.
    let end = max(1, min(time.components.seconds, console.rewritesStatus ? .max : 2))
    task = Task {
      for second in 1..<end {
        guard (try? await clock.sleep(until: start + .seconds(second))) != nil else { return }
        let line = "\(what)… \(max(0, time.components.seconds - second)) s"
        pausing.isOn.withLock { isOn in
          if !isOn { console.setStatus(line, first: second == 1) }
        }
      }
    }
  }

  /// Somebody is there: nothing to wait for, for now.
  func pause() {
    pausing.isOn.withLock { $0 = true }
    console.clearStatus()
  }

  func resume() { pausing.isOn.withLock { $0 = false } }

  func stop() {
    task.cancel()
    pause()
  }
}

private final class Pause: Sendable {
  let isOn = Mutex(false)
}
