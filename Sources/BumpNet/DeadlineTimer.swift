/// Wakes a state machine at its deadline: one task, which is set anew where the deadline changes.
package struct DeadlineTimer {
  private var deadline: Duration?
  private var task: Task<Void, Never>?

  package init() {}

  /// Sets the timer to a deadline; `nil` for none.
  ///
  /// - Parameter wake: called at the deadline. It begins with `hasFired`.
  package mutating func set(to deadline: Duration?, on timeline: Timeline, wake: @escaping @Sendable () async -> Void) {
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
  package mutating func hasFired() { deadline = nil }

  /// Cancels the timer.
  ///
  /// - Returns: its task, to be waited for.
  package mutating func cancel() -> Task<Void, Never>? {
    defer { (deadline, task) = (nil, nil) }
    task?.cancel()
    return task
  }
}
