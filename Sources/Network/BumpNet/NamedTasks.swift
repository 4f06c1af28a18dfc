/// The tasks of one bump by name: each can be cancelled alone, and all can be awaited at the end.
package struct NamedTasks<Name: Hashable & Sendable> {
  private var tasks: [Name: Task<Void, Never>] = [:]

  package init() {}

  /// The number of tasks that were started and are not forgotten.
  package var count: Int { tasks.count }

  /// Starts a task. Cancels a task of the same name.
  package mutating func start(_ name: Name, _ body: @escaping @Sendable () async -> Void) {
    tasks.updateValue(Task(operation: body), forKey: name)?.cancel()
  }

  /// Cancels the task of the same name, and starts a task once that one has ended. If two questions were asked at a
  /// time, the answer to one could be taken for the answer to the other.
  package mutating func follow(_ name: Name, _ body: @escaping @Sendable () async -> Void) {
    let former = tasks[name]
    start(name) {
      await former?.value
      if !Task.isCancelled { await body() }
    }
  }

  package mutating func cancel(_ name: Name) {
    tasks.removeValue(forKey: name)?.cancel()
  }

  /// Removes a task that is about to end.
  package mutating func forget(_ name: Name) { tasks[name] = nil }

  /// Cancels a task, and keeps it so that `cancelAll` returns it.
  package func stop(_ name: Name) {
    tasks[name]?.cancel()
  }

  /// Cancels the tasks whose names satisfy a condition.
  package mutating func cancel(where condition: (Name) -> Bool) {
    for name in tasks.keys.filter(condition) { cancel(name) }
  }

  /// Cancels and returns all tasks, so that the caller can wait for them.
  package mutating func cancelAll() -> [Task<Void, Never>] {
    defer { tasks = [:] }
    for task in tasks.values { task.cancel() }
    return Array(tasks.values)
  }
}
