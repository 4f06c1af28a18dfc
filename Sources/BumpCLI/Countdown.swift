/// Shows that something is waited for, from the first second on: `Waiting for a receiver… 8 s`.
struct Countdown: Sendable {
  private let task: Task<Void, Never>
  private let console: Console

  /// - Parameter time: how long it may take.
  init(_ what: String, _ time: Duration, _ console: Console) {
    self.console = console
    let clock = ContinuousClock()
    let start = clock.now
    task = Task {
      for second in 1..<max(2, time.components.seconds) {
        guard (try? await clock.sleep(until: start + .seconds(second))) != nil else { return }
        console.setStatus("\(what)… \(max(0, time.components.seconds - second)) s", first: second == 1)
      }
    }
  }

  func stop() {
    task.cancel()
    console.clearStatus()
  }
}
