/// The fuzzer's input, read as a program: once it is used up, every read gives zero or nothing.
struct Program {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    rest = Array(bytes)[...]
  }

  var isOver: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func bool() -> Bool { byte() & 1 == 1 }

  /// One of several, each as easy to reach as any other.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(byte()) % elements.count] }

  /// As many bytes as the next byte says, or all that are left.
  mutating func string() -> [UInt8] { take(Int(byte())) }

  mutating func remainder() -> [UInt8] { take(rest.count) }

  private mutating func take(_ count: Int) -> [UInt8] {
    let taken = rest.prefix(count)
    rest = rest.dropFirst(count)
    return Array(taken)
  }
}
