import Testing

@testable import BumpServing

/// Who has a place at a server, and who loses it.
@Suite struct ServedPlacesTests {
  @Test func `a host that opens many connections and asks nothing displaces its own`() {
    var places = ServedPlaces<String>(4)
    #expect(places.add(0, from: "alice") == .admitted)
    var gone: [Int] = []
    for number in 1...130 {
      switch places.add(number, from: "mallory") {
      case .admitted: break
      case .displaces(let other): gone.append(other)
      case .refused: Issue.record("refused")
      }
    }
    #expect(gone == Array(1...127), "the oldest first, and never alice's")
  }

  @Test func `a host that comes while others hold all places has one at once`() {
    var places = ServedPlaces<String>(4)
    for number in 0..<4 { _ = places.add(number, from: "mallory") }
    #expect(places.add(4, from: "alice") == .displaces(0))
  }

  @Test func `of a host that has the most a connection that is answered has to go once none is idle`() {
    var places = ServedPlaces<String>(3)
    for number in 0..<3 {
      #expect(places.add(number, from: number == 1 ? "bob" : "mallory") == .admitted)
      places.completed(number)
    }
    #expect(places.add(3, from: "mallory") == .refused, "its own are answered")
    #expect(places.add(4, from: "alice") == .displaces(0))
    #expect(places.add(5, from: "carol") == .displaces(4), "the only one that is idle")
    places.remove(2)
    #expect(places.add(6, from: nil) == .admitted)
  }
}
