import BumpMultipeer
import Samples
import Testing

/// Messages, streams and resources between two members.
@Suite struct TrafficTests {
  private static let part = MultipeerLimits.part

  /// Takes all that an outbox has, and gives parts of resources from what it is told.
  private func drain(_ outbox: inout Outbox, resources: [TransferID: [UInt8]] = [:], limit: Int = 10_000) -> [LinkFrame]
  {
    var (frames, left) = ([LinkFrame](), resources)
    for _ in 0..<limit {
      switch outbox.next() {
      case .send(let frame): frames.append(frame)
      case .read(let id):
        let bytes = left[id] ?? []
        if bytes.isEmpty { outbox.end(id) } else { outbox.part(Array(bytes.prefix(Self.part)), of: id) }
        left[id] = Array(bytes.dropFirst(Self.part))
      case nil: return frames
      }
    }
    return frames
  }

  @Test(
    "a message of any size comes as it was sent, in as many parts as it needs",
    arguments: [0, 1, part, part + 1, 5 * part])
  func messages(size: Int) throws {
    var generator = SplitMix64(seed: UInt64(size))
    let bytes = generator.bytes(size)
    var outbox = Outbox()
    outbox.add(bytes, isReliable: true)
    outbox.add([9], isReliable: false)
    #expect(outbox.waiting == size + 1)
    var inbox = Inbox()
    let events = try drain(&outbox).compactMap { try inbox.handle($0) }
    #expect(events == [.message(bytes, isReliable: true), .message([9], isReliable: false)])
    #expect(outbox.waiting == 0)
  }

  @Test("a hundred thousand messages keep their order")
  func many() throws {
    var outbox = Outbox()
    var inbox = Inbox()
    for number in 0..<100_000 {
      outbox.add([UInt8(truncatingIfNeeded: number), UInt8(number >> 8 & 0xFF)], isReliable: true)
    }
    var count = 0
    while case .send(let frame) = outbox.next() {
      #expect(
        try inbox.handle(frame)
          == .message([UInt8(truncatingIfNeeded: count), UInt8(count >> 8 & 0xFF)], isReliable: true))
      count += 1
    }
    #expect(count == 100_000)
  }

  @Test("a message waits for one part of each transfer, not for its end")
  func fairness() {
    var outbox = Outbox()
    let stream = outbox.openStream("s")
    outbox.write([UInt8](repeating: 1, count: 4 * Self.part), to: stream)
    let resource = outbox.openResource("r", size: nil)
    outbox.add([7], isReliable: true)
    let frames = drain(&outbox, resources: [resource: [UInt8](repeating: 2, count: 4 * Self.part)], limit: 8)
    let message = frames.firstIndex { if case .message = $0 { true } else { false } }
    #expect(message.map { $0 <= 4 } ?? false, "\(frames.map { $0.bytes.count })")
  }

  @Test("a stream sends what its reader has room for, and goes on when it has read")
  func window() throws {
    var outbox = Outbox()
    var inbox = Inbox()
    let id = outbox.openStream("s")
    let bytes = [UInt8](repeating: 5, count: MultipeerLimits.streamWindow + 10)
    #expect(outbox.space(in: id) == MultipeerLimits.streamWindow)
    outbox.write(bytes, to: id)
    #expect(outbox.space(in: id) == 0)
    outbox.end(id)
    var received = 0
    for frame in drain(&outbox) { if case .part(_, let part) = try inbox.handle(frame) { received += part.count } }
    #expect(received == MultipeerLimits.streamWindow)
    guard case .transfer(id, .credit(let count)) = inbox.consumed(100, of: id) else {
      Issue.record("a credit")
      return
    }
    outbox.credit(count, of: id)
    var events: [Inbox.Event] = []
    for frame in drain(&outbox) { if let event = try inbox.handle(frame) { events.append(event) } }
    #expect(events == [.part(id, [UInt8](repeating: 5, count: 10)), .end(id)])
  }

  @Test("a reader that gives more credit than it has room for is not believed")
  func creditIsBounded() {
    var outbox = Outbox()
    let id = outbox.openStream("s")
    outbox.credit(.max, of: id)
    #expect(outbox.space(in: id) == MultipeerLimits.streamWindow)
  }

  @Test("a resource is read part by part, and ends with its end")
  func resource() throws {
    var outbox = Outbox()
    var inbox = Inbox()
    let bytes = (0..<(2 * Self.part + 5)).map { UInt8(truncatingIfNeeded: $0) }
    let id = outbox.openResource("a/b", size: UInt64(bytes.count))
    var received: [UInt8] = []
    var events: [Inbox.Event] = []
    for frame in drain(&outbox, resources: [id: bytes]) {
      switch try inbox.handle(frame) {
      case .part(_, let part): received += part
      case let event?: events.append(event)
      case nil: break
      }
    }
    #expect(received == bytes)
    #expect(events == [.resource(id, name: "a/b", size: UInt64(bytes.count)), .end(id)])
  }

  @Test("what is cancelled here is not sent any more, and its reader is told")
  func cancelled() throws {
    var outbox = Outbox()
    var inbox = Inbox()
    let id = outbox.openStream("s")
    outbox.write([1, 2, 3], to: id)
    outbox.cancel(id)
    #expect(outbox.waiting == 0)
    let events = try drain(&outbox).compactMap { try inbox.handle($0) }
    #expect(events == [.stream(id, name: "s"), .cancelled(id)])
  }

  @Test("what is stopped there is not sent any more, and what was on its way is dropped")
  func stopped() throws {
    var outbox = Outbox()
    var inbox = Inbox()
    let id = outbox.openStream("s")
    for frame in drain(&outbox) { _ = try inbox.handle(frame) }
    #expect(inbox.stop(id) == .transfer(id, .stop))
    #expect(inbox.stop(id) == nil)
    #expect(try inbox.handle(.transfer(id, .part([1]))) == nil)
    #expect(try inbox.handle(.transfer(id, .end)) == nil)
    outbox.write([1], to: id)
    outbox.stopped(id)
    #expect(drain(&outbox) == [])
  }

  /// What a member sends, the last frame of which is refused. A test's log has its name only, not its megabytes.
  struct Refused: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let frames: @Sendable () -> [LinkFrame]

    init(_ name: String, _ frames: @autoclosure @escaping @Sendable () -> [LinkFrame]) {
      testDescription = name
      self.frames = frames
    }
  }

  static let refused: [Refused] = [
    Refused("a part of what was never begun", [.transfer(0, .part([1]))]),
    Refused("an end of what was never begun", [.transfer(0, .end)]),
    Refused("a transfer whose number leaps", [.transfer(1, .stream(name: "s"))]),
    Refused("a number twice", [.transfer(0, .stream(name: "s")), .transfer(0, .stream(name: "s"))]),
    Refused("an empty part", [.transfer(0, .stream(name: "s")), .transfer(0, .part([]))]),
    Refused("more than was announced", [.transfer(0, .resource(name: "r", size: 1)), .transfer(0, .part([1, 2]))]),
    Refused("less than was announced", [.transfer(0, .resource(name: "r", size: 1)), .transfer(0, .end)]),
    Refused(
      "more than the window",
      [.transfer(0, .stream(name: "s"))]
        + Array(
          repeating: .transfer(0, .part([UInt8](repeating: 0, count: part))), count: MultipeerLimits.streamWindow / part
        )
        + [.transfer(0, .part([1]))]
    ),
    Refused("too many at once", (0...TransferID(MultipeerLimits.transfers)).map { .transfer($0, .stream(name: "s")) }),
    Refused("an empty part of a message", [.message(isLast: false, isReliable: true, part: [])]),
    Refused(
      "a message that changes its mode",
      [.message(isLast: false, isReliable: true, part: [1]), .message(isLast: true, isReliable: false, part: [1])]
    ),
    Refused(
      "a message that is too long",
      Array(
        repeating: .message(isLast: false, isReliable: true, part: [UInt8](repeating: 0, count: part)),
        count: MultipeerLimits.message / part + 1)
    ),
    Refused("a frame of another kind", [.ping]),
  ]

  @Test func `transfers beyond those that a member takes at once are opened in their turn`() throws {
    var (outbox, inbox) = (Outbox(), Inbox())
    func pass() throws -> [Inbox.Event] { try drain(&outbox).compactMap { try inbox.handle($0) } }
    let most = TransferID(MultipeerLimits.transfers)
    let ids = (0..<(most + 10)).map { outbox.openStream("\($0)") }
    outbox.write([7], to: most + 1)
    #expect(try pass() == (0..<most).map { .stream($0, name: "\($0)") })
    // One that is cancelled before its turn is opened all the same: the numbers have no gaps.
    outbox.cancel(most)
    #expect(try pass() == [])
    outbox.end(0)
    #expect(
      try pass() == [
        .end(0), .stream(most, name: "\(most)"), .cancelled(most), .stream(most + 1, name: "\(most + 1)"),
        .part(most + 1, [7]),
      ])
    for id in ids.dropFirst() { outbox.end(id) }
    let left = try pass()
    #expect(left.count { if case .end = $0 { true } else { false } } == Int(most) + 8)
    #expect(inbox.open.isEmpty)
  }

  @Test func `a stream that is read byte by byte costs one answer, and the credit is that of all its bytes`() throws {
    var outbox = Outbox()
    for _ in 0..<1000 { outbox.say(.transfer(3, .credit(1))) }
    outbox.say(.transfer(1, .credit(7)))
    #expect(drain(&outbox) == [.transfer(1, .credit(7)), .transfer(3, .credit(1000))])
  }

  @Test func `a member that reads none of the answers to its transfers is refused, and one that reads them is not`()
    throws
  {
    for reads in [true, false] {
      var (inbox, outbox) = (Inbox(), Outbox())
      var isRefused = false
      for id in 0..<TransferID(MultipeerLimits.answers) + 1 {
        _ = try inbox.handle(.transfer(id, .resource(name: "r", size: 0)))
        let event = try #require(try inbox.handle(.transfer(id, .end)))
        isRefused = (try? outbox.check(event)) == nil
        outbox.say(.transfer(id, .received))
        if reads { _ = outbox.next() }
      }
      #expect(isRefused == !reads)
    }
  }

  @Test func `what a member says of a transfer that was not sent to it is refused`() throws {
    var outbox = Outbox()
    let id = outbox.openResource("photo", size: 1)
    try outbox.check(.credit(id, 1))
    for event in [
      Inbox.Event.received(id), .received(id + 1), .stopped(id + 1), .credit(id + 1, 1),
    ] {
      #expect(throws: MultipeerError(.order, "")) { try outbox.check(event) }
    }
    _ = drain(&outbox, resources: [id: [7]])
    try outbox.check(.received(id))
    try outbox.check(.stopped(id))
  }

  @Test("a member may not send this", arguments: refused)
  func refuses(refused: Refused) throws {
    let frames = refused.frames()
    var inbox = Inbox()
    for frame in frames.dropLast() { _ = try inbox.handle(frame) }
    #expect(throws: MultipeerError(.order, "")) { _ = try inbox.handle(frames[frames.count - 1]) }
  }
}
