/// A priority queue of items by time, the earliest first: a binary heap.
///
/// Items are not cancelled: the caller checks that a due item is still valid.
struct TimerQueue<Item> {
  private var heap: [(moment: Moment, item: Item)] = []

  var count: Int { heap.count }

  /// The earliest time.
  var next: Moment? { heap.first?.moment }

  mutating func add(_ item: Item, at moment: Moment) {
    heap.append((moment, item))
    var child = heap.count - 1
    while child > 0, heap[child].moment < heap[(child - 1) / 2].moment {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes and returns the earliest item if it is due.
  mutating func popDue(at now: Moment) -> (moment: Moment, item: Item)? {
    guard let first = heap.first, first.moment <= now else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].moment < heap[least].moment { least = child }
      }
      if least == parent { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  /// Removes the items that are no longer valid.
  mutating func keep(where holds: (Moment, Item) -> Bool) {
    let kept = heap.filter { holds($0.moment, $0.item) }.sorted { $0.moment < $1.moment }
    // A sorted array is a heap.
    heap = kept
  }
}
