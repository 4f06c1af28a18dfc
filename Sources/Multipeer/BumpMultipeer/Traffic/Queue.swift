/// A queue: the first element that is added is the first that is removed. Removing the first element of an array moves
/// all others, so several are removed at once.
struct Queue<Element: Sendable>: Sendable {
  /// Those before `head` were removed, and are `nil`.
  private var elements: [Element?] = []
  private var head = 0

  /// The number of elements.
  var count: Int { elements.count - head }

  /// The first element; `nil` if the queue is empty. Must not be set then.
  var first: Element? {
    get { head < elements.count ? elements[head] : nil }
    set { elements[head] = newValue }
  }

  mutating func append(_ element: Element) { elements.append(element) }

  /// Removes the first element, and returns it; `nil` if the queue is empty.
  mutating func popFirst() -> Element? {
    guard let element = first else { return nil }
    elements[head] = nil
    head += 1
    if head > elements.count / 2 {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}
