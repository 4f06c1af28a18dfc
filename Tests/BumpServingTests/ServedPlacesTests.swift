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

  @Test func `a connection whose request is complete keeps its place`() {
    var places = ServedPlaces<String>(2)
    for number in 0..<2 {
      #expect(places.add(number, from: "mallory") == .admitted)
      places.completed(number)
    }
    #expect(places.add(2, from: "alice") == .refused)
    places.remove(0)
    #expect(places.add(3, from: "alice") == .admitted)
    #expect(places.add(4, from: nil) == .displaces(3))
  }
}
