/// What is to happen, by its time, and of equal times in the order in which it was added.
package struct Agenda<Event> {
  private var items: [(at: Duration, event: Event)] = []

  package init() {}

  /// When the next event is due; `nil` where there is none.
  package var next: Duration? { items.last?.at }

  package mutating func add(_ event: Event, at time: Duration) {
    // The next one is the last element. Behind those of the same time.
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if items[middle].at > time { low = middle + 1 } else { high = middle }
    }
    items.insert((time, event), at: low)
  }

  package mutating func take() -> Event? { items.popLast()?.event }
}
