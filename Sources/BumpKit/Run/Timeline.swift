/// A clock that counts from the beginning of one bump.
struct Timeline: Sendable {
  /// The time since the beginning.
  let now: @Sendable () -> Moment
  /// Waits until a moment; returns early where the task is cancelled.
  let wait: @Sendable (Moment) async -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    wait = { try? await clock.sleep(until: start.advanced(by: $0), tolerance: .zero) }
  }
}
