/// A clock that counts from the start of one bump.
package struct Timeline: Sendable {
  /// Returns the time since the start.
  package let now: @Sendable () -> Duration
  /// Waits until a moment. Returns early if the task is cancelled.
  package let wait: @Sendable (Duration) async -> Void

  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    wait = { try? await clock.sleep(until: start.advanced(by: $0), tolerance: .zero) }
  }
}
