/// Events in the order of their times. Events of the same time stay in the order in which they were added.
package struct EventQueue<Event> {
  private var items: [(at: Duration, event: Event)] = []

  package init() {}

  /// When the next event is due; `nil` if there is none.
  package var next: Duration? { items.last?.at }

  package mutating func add(_ event: Event, at time: Duration) {
    // The next event is the last element. Insert so that events of the same time that were added before are taken
    // first.
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if items[middle].at > time { low = middle + 1 } else { high = middle }
    }
    items.insert((time, event), at: low)
  }

  package mutating func take() -> Event? { items.popLast()?.event }
}
