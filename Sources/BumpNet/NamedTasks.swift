/// The tasks of one bump by name, so that each can be cancelled alone, and all be seen off at the end.
package struct NamedTasks<Name: Hashable & Sendable> {
  private var tasks: [Name: Task<Void, Never>] = [:]

  package init() {}

  /// How many were started and are not forgotten.
  package var count: Int { tasks.count }

  /// Starts a task; one of the same name is cancelled first.
  package mutating func start(_ name: Name, _ body: @escaping @Sendable () async -> Void) {
    tasks.updateValue(Task(operation: body), forKey: name)?.cancel()
  }

  /// Starts a task once the one of the same name, which is cancelled, has ended: two questions at a time, and the answer
  /// to one could be taken for the other's.
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

  /// The task of that name has nothing more to do.
  package mutating func forget(_ name: Name) { tasks[name] = nil }

  /// Cancels it, and keeps it to be waited for at the end.
  package func stop(_ name: Name) {
    tasks[name]?.cancel()
  }

  /// Cancels those whose names meet a condition.
  package mutating func cancel(where condition: (Name) -> Bool) {
    for name in tasks.keys.filter(condition) { cancel(name) }
  }

  /// Cancels all, and hands them over to be waited for.
  package mutating func cancelAll() -> [Task<Void, Never>] {
    defer { tasks = [:] }
    for task in tasks.values { task.cancel() }
    return Array(tasks.values)
  }
}
