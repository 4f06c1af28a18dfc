/// A timer that wakes a state machine at its deadline: one task, replaced when the deadline changes.
package struct DeadlineTimer {
  private var deadline: Duration?
  private var task: Task<Void, Never>?

  package init() {}

  /// Sets the timer to a deadline; `nil` for none.
  ///
  /// - Parameter wake: called at the deadline. It must call `hasFired` first.
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

  /// Clears the deadline, so that the next `set` starts the timer again even for the same deadline: a clock may wake
  /// the task too early.
  package mutating func hasFired() { deadline = nil }

  /// Cancels the timer.
  ///
  /// - Returns: the timer's task, to wait for.
  package mutating func cancel() -> Task<Void, Never>? {
    defer { (deadline, task) = (nil, nil) }
    task?.cancel()
    return task
  }
}
