/// Wakes a state machine at its deadline: one task, which is set anew where the deadline changes.
struct DeadlineTimer {
  private var deadline: Moment?
  private var task: Task<Void, Never>?

  /// Sets the timer to a deadline; `nil` for none.
  ///
  /// - Parameter wake: called at the deadline. It begins with `hasFired`.
  mutating func set(to deadline: Moment?, on timeline: Timeline, wake: @escaping @Sendable () async -> Void) {
    guard deadline != self.deadline else { return }
    self.deadline = deadline
    task?.cancel()
    task = deadline.map { deadline in
      Task {
        await timeline.wait(deadline)
        if !Task.isCancelled { await wake() }
      }
    }
  }

  /// Forgets the deadline that was set, so that the next `set` sets the timer whatever that is: a clock that wakes us early
  /// must not be the last one to do so.
  mutating func hasFired() { deadline = nil }

  /// Cancels the timer.
  ///
  /// - Returns: its task, to be waited for.
  mutating func cancel() -> Task<Void, Never>? {
    defer { (deadline, task) = (nil, nil) }
    task?.cancel()
    return task
  }
}
