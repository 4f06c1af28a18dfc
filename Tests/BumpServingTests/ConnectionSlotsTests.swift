import Testing

@testable import BumpServing

/// Who has a place at a server, and who loses it.
@Suite struct ConnectionSlotsTests {
  @Test func `a host that opens many connections and asks nothing displaces its own`() {
    var slots = ConnectionSlots<String>(4)
    #expect(slots.add(0, from: "alice") == .admitted)
    var gone: [Int] = []
    for number in 1...130 {
      switch slots.add(number, from: "mallory") {
      case .admitted: break
      case .displaces(let other): gone.append(other)
      case .refused: Issue.record("refused")
      }
    }
    #expect(gone == Array(1...127), "the oldest first, and never alice's")
  }

  @Test func `a host that comes while others hold all places has one at once`() {
    var slots = ConnectionSlots<String>(4)
    for number in 0..<4 { _ = slots.add(number, from: "mallory") }
    #expect(slots.add(4, from: "alice") == .displaces(0))
  }

  @Test func `of a host that has the most a connection that is answered has to go once none is idle`() {
    var slots = ConnectionSlots<String>(3)
    for number in 0..<3 {
      #expect(slots.add(number, from: number == 1 ? "bob" : "mallory") == .admitted)
      slots.completed(number)
    }
    #expect(slots.add(3, from: "mallory") == .refused, "its own are answered")
    #expect(slots.add(4, from: "alice") == .displaces(0))
    #expect(slots.add(5, from: "carol") == .displaces(4), "the only one that is idle")
    slots.remove(2)
    #expect(slots.add(6, from: nil) == .admitted)
  }
}
