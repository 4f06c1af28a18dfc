/// A clock that counts from its creation.
struct FaultClock: Sendable {
  let now: @Sendable () -> Duration
  /// Waits until this time.
  ///
  /// - Throws: `CancellationError`.
  let wait: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: .zero) }
  }
}
