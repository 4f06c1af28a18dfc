/// One direction of a connection under a plan, as a state machine: takes sent bytes, and returns what arrives and when.
/// It has no socket and no clock.
package struct FaultyFlow: Sendable {
  /// An event at the other end.
  package enum Arrival: Hashable, Sendable {
    /// These bytes arrive at this time. Times never decrease.
    case bytes([UInt8], at: Duration)
    /// The connection ends at this time, for these ends.
    case cut(at: Duration, ends: ByteFault.Way)
  }

  /// The properties of a connection that decide which faults apply to it.
  package struct Connection: Sendable {
    /// The number among the connections of the two peers, from 1.
    package var number: Int
    /// Whether the session that opened it has had a connection before.
    package var isOfUsedSession: Bool

    package init(number: Int, isOfUsedSession: Bool = false) {
      (self.number, self.isOfUsedSession) = (number, isOfUsedSession)
    }
  }

  private let faults: [ByteFault]
  /// The chance, in percent, of each loss of a packet.
  private let losses: Int
  /// The records that an earlier connection sent in this direction.
  private let earlier: [[UInt8]]
  private var generator: SplitMix64
  private var buffer: [UInt8] = []
  private var records = 0
  /// How many records each fault has counted.
  private var counts: [Int]
  private var isStalled = false
  /// A record that waits for the next one to overtake it.
  private var held: [UInt8]?
  /// The time until which a delay holds everything back.
  private var heldUntil: Duration = .zero
  private var lastDue: Duration = .zero
  /// When a slow connection has carried all earlier bytes.
  private var freeAt: Duration = .zero
  private var burstAt: Duration = .zero

  /// Makes one direction of a connection.
  ///
  /// - Parameters:
  ///   - isFromOpener: whether the direction is that of the bytes from the end that opened the connection.
  ///   - earlier: the records that an earlier connection sent in this direction, for `replay`.
  package init(_ plan: FaultPlan, _ connection: Connection, isFromOpener: Bool, earlier: [[UInt8]] = []) {
    self.earlier = earlier
    let way = isFromOpener ? ByteFault.Way.fromOpener : .toOpener
    faults = plan.bytes.enumerated().filter { index, fault in
      guard fault.way == .both || fault.way == way else { return false }
      switch fault.scope {
      case .all, .whileDiscovering: break
      case .connections(let range): guard range.contains(connection.number) else { return false }
      case .usedSessions: guard connection.isOfUsedSession else { return false }
      }
      // Draw from streams that do not depend on the direction: both directions get the same results.
      var chance = plan.stream("plan", "percent \(index)")
      let percent = chance.draw(fault.percent)
      var here = plan.stream("connection \(connection.number)", "chance \(index)")
      return here.happens(percent: percent)
    }.map(\.element)
    counts = faults.map { _ in 0 }
    var chance = plan.stream("plan", "losses")
    losses =
      faults.lazy.compactMap { if case .retransmit(let percent) = $0.effect { percent } else { nil } }.first
      .map { chance.draw($0) } ?? 0
    generator = plan.stream(isFromOpener ? "opener" : "answerer", "connection \(connection.number)")
  }

  /// Whether a stall hides the end of the connection from the other end too.
  package var hidesTheEnd: Bool { isStalled }

  /// Takes bytes that one end sends, and returns what arrives.
  ///
  /// - Parameter isDiscovering: whether one of the two peers browses or advertises.
  package mutating func sent(_ bytes: [UInt8], isDiscovering: Bool = false, at now: Duration) -> [Arrival] {
    guard !faults.isEmpty else { return [.bytes(bytes, at: now)] }
    buffer += bytes
    var arrivals: [Arrival] = []
    while let record = nextRecord() {
      records += 1
      arrivals += pass(record, isDiscovering, at: now)
    }
    return arrivals
  }

  /// Takes the end of the bytes that one end sends. Returns a record that waited to be overtaken.
  package mutating func ended(at now: Duration) -> [Arrival] {
    guard let record = held else { return [] }
    held = nil
    lastDue = max(lastDue, now)
    return [.bytes(record, at: lastDue)]
  }

  /// Returns when all that was sent has arrived.
  package func settled(at now: Duration) -> Duration { max(now, lastDue) }

  private mutating func nextRecord() -> [UInt8]? {
    guard buffer.count >= 2 else { return nil }
    let length = 2 + (Int(buffer[0]) << 8 | Int(buffer[1]))
    guard buffer.count >= length else { return nil }
    defer { buffer.removeFirst(length) }
    return Array(buffer.prefix(length))
  }

  private mutating func pass(_ record: [UInt8], _ isDiscovering: Bool, at now: Duration) -> [Arrival] {
    guard !isStalled else { return [] }
    var record = record
    var due = max(now, heldUntil)
    var isLost = false
    var isRepeated = false
    var isHeld = false
    var cut: (after: Duration, ends: ByteFault.Way)?
    for (index, fault) in faults.enumerated() where record.count >= fault.least {
      counts[index] += 1
      guard counts[index] >= fault.record, fault.scope != .whileDiscovering || isDiscovering else { continue }
      let isFirst = counts[index] == fault.record
      switch fault.effect {
      case .drop: isLost = isLost || isFirst
      case .stall:
        isStalled = true
        return []
      case .cut(let after, let ends) where isFirst: cut = (generator.draw(after), ends)
      case .cutInside(let percent) where isFirst:
        cut = (.zero, .both)
        record = Array(record.prefix(record.count * generator.draw(percent) / 100))
      case .delay(let span) where isFirst:
        heldUntil = now + generator.draw(span)
        due = max(due, heldUntil)
      case .jitter(let span): due += generator.draw(span)
      case .slow(let rate):
        due = max(due, freeAt) + .milliseconds(record.count * 1000 / rate)
        freeAt = due
      case .bursts(let span):
        if due >= burstAt { burstAt = due + generator.draw(span) }
        due = max(due, burstAt)
      case .retransmit: due += retransmission()
      case .alter(let bit) where isFirst && !record.isEmpty:
        let bit = bit ?? (record.count - 1) * 8 + generator.draw(0...7)
        if record.indices.contains(bit / 8) { record[bit / 8] ^= 1 << UInt8(bit % 8) }
      case .again: isRepeated = isRepeated || isFirst
      case .swap: isHeld = isHeld || isFirst
      case .replay where isFirst:
        if records <= earlier.count { record = earlier[records - 1] } else { isLost = true }
      default: break
      }
    }
    guard !isLost else { return [] }
    lastDue = max(lastDue, due)
    if isHeld {
      held = record
      return []
    }
    var arrivals = [Arrival.bytes(record, at: lastDue)]
    if isRepeated { arrivals.append(.bytes(record, at: lastDue)) }
    arrivals += ended(at: lastDue)
    if let cut { arrivals.append(.cut(at: lastDue + cut.after, ends: cut.ends)) }
    return arrivals
  }

  /// Draws how late a record is. TCP gives up only long after any session here, so losses end after 60 seconds.
  private mutating func retransmission() -> Duration {
    var late = Duration.zero
    var wait = Duration.milliseconds(200)
    while late < .seconds(60), generator.happens(percent: losses) {
      late += wait
      wait *= 2
    }
    return late
  }
}
