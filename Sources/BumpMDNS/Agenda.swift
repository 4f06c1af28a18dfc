/// Things to be done, each at its moment: a binary heap, the earliest first.
///
/// What has become void stays until its moment: who takes it off checks whether it still holds.
struct Agenda<Item> {
  private var heap: [(moment: Moment, item: Item)] = []

  var count: Int { heap.count }

  /// The earliest moment.
  var next: Moment? { heap.first?.moment }

  mutating func add(_ item: Item, at moment: Moment) {
    heap.append((moment, item))
    var child = heap.count - 1
    while child > 0, heap[child].moment < heap[(child - 1) / 2].moment {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the earliest item off, if its moment has come.
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

  /// Leaves only what still holds.
  mutating func keep(where holds: (Moment, Item) -> Bool) {
    let kept = heap.filter { holds($0.moment, $0.item) }.sorted { $0.moment < $1.moment }
    // What is in order is a heap.
    heap = kept
  }
}
