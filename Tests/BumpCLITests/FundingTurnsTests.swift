import Testing

@testable import BumpCLI

/// Whose claim a vault is asked about next.
@Suite struct FundingTurnsTests {
  /// A receiver whose vault takes so long for each claim, by a clock that the test sets.
  private struct SimulatedReceiver {
    var turns = FundingTurns<String, Int>()
    let duration: Duration
    var now = Duration.zero
    private(set) var begun: [(sender: String?, item: Int, at: Duration)] = []
    private(set) var refused: [Int] = []
    private var running: [(sender: String?, end: Duration)] = []
    private(set) var mostAtOnce = 0

    init(_ duration: Duration) { self.duration = duration }

    mutating func add(_ items: some Sequence<Int>, from sender: String?) {
      for item in items {
        if let gone = turns.add(item, from: sender, at: now) { refused.append(gone) }
        begin()
      }
    }

    private mutating func begin() {
      while let (item, sender) = turns.next(at: now) {
        begun.append((sender, item, now))
        running.append((sender, now + duration))
        mostAtOnce = max(mostAtOnce, running.count)
      }
    }

    mutating func pass(to end: Duration) {
      while let next = (running.map(\.end) + [turns.due].compactMap(\.self)).min(), next <= end {
        now = max(now, next)
        for (place, turn) in running.enumerated().reversed() where turn.end <= now {
          running.remove(at: place)
          turns.ended(turn.sender)
        }
        begin()
      }
      now = end
    }

    func times(of sender: String?) -> [Duration] { begun.filter { $0.sender == sender }.map(\.at) }
  }

  @Test(arguments: [Duration.milliseconds(100), .seconds(15)])
  func `behind 360 claims of one sender another's is asked about at once`(duration: Duration) {
    var desk = SimulatedReceiver(duration)
    desk.add(0..<360, from: "mallory")
    desk.pass(to: .seconds(1))
    desk.add([1000], from: "alice")
    #expect(desk.times(of: "alice") == [.seconds(1)])
    desk.pass(to: .seconds(60))
    desk.add([1001, 1002], from: "alice")
    #expect(desk.times(of: "alice").suffix(2) == [.seconds(60), .seconds(60)])
  }

  @Test func `of a sender ten claims are asked about at once, and then one each three seconds`() {
    var desk = SimulatedReceiver(.zero)
    desk.add(0..<60, from: "mallory")
    desk.pass(to: .zero)
    #expect(desk.times(of: "mallory").count == 10)
    desk.pass(to: .milliseconds(59_999))
    #expect(desk.times(of: "mallory").count == 29)
    desk.pass(to: .seconds(60))
    #expect(desk.times(of: "mallory").count == 30, "90 requests of the 300 that a vault takes in a minute")
    #expect(desk.begun.map(\.item) == Array(0..<30), "in the order in which they came")
  }

  @Test func `of a sender two claims are asked about at the same time, and eight of all`() {
    var desk = SimulatedReceiver(.seconds(15))
    desk.add(0..<9, from: "mallory")
    desk.pass(to: .milliseconds(14_999))
    #expect(desk.mostAtOnce == 2)
    for number in 0..<9 { desk.add(0..<9, from: "mallory\(number)") }
    #expect(desk.mostAtOnce == 8)
    desk.add([1000], from: "alice")
    desk.pass(to: .seconds(30))
    #expect(desk.times(of: "alice") == [.milliseconds(29_999)], "behind one claim of each sender that came before")
  }

  @Test func `of a sender 64 claims wait and no more, and what is too much is said`() {
    var desk = SimulatedReceiver(.seconds(15))
    desk.add(0..<360, from: "mallory")
    #expect(desk.refused == Array(66..<360), "two are being asked about, and 64 wait")
  }

  @Test func `where too many wait the sender with the most loses the last one of its own`() {
    var desk = SimulatedReceiver(.seconds(15))
    for number in 0..<20 { desk.add((0..<60).map { 100 * number + $0 }, from: "mallory\(number)") }
    let before = desk.refused.count
    desk.add([9000, 9001], from: "alice")
    #expect(desk.refused.count > before && !desk.refused.contains { $0 >= 9000 })
  }

  @Test func `the claims of this machine's own senders have the places alone as their limit`() {
    var desk = SimulatedReceiver(.zero)
    desk.add(0..<360, from: nil)
    #expect(desk.times(of: nil).count == 8)
    desk.pass(to: .zero)
    #expect(desk.times(of: nil).count == 360 && desk.refused.isEmpty)
  }

  @Test func `what waits at the end is returned, and nothing begins any more`() {
    var desk = SimulatedReceiver(.seconds(15))
    desk.add(0..<5, from: "mallory")
    #expect(desk.turns.removeAll() == [2, 3, 4] && !desk.turns.isAtRest)
    desk.pass(to: .seconds(60))
    #expect(desk.turns.isAtRest && desk.begun.count == 2)
  }
}
