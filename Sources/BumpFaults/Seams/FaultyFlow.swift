/// One direction of one connection under a plan, a state machine: what is sent goes in, and what arrives, and when, comes
/// out. It has no socket and no clock.
package struct FaultyFlow: Sendable {
  /// What arrives.
  package enum Arrival: Hashable, Sendable {
    /// These bytes, then. Later ones never come earlier.
    case bytes([UInt8], at: Duration)
    /// The connection ends then, for these ends.
    case cut(at: Duration, ends: ByteFault.Way)
  }

  /// What a connection is, for the scope of a fault.
  package struct Connection: Sendable {
    /// The number among the pair's connections, from 1.
    package var number: Int
    /// Whether its opener's session, or that of the other end, had a connection before.
    package var isOfUsedSession: Bool

    package init(number: Int, isOfUsedSession: Bool = false) {
      (self.number, self.isOfUsedSession) = (number, isOfUsedSession)
    }
  }

  private let faults: [ByteFault]
  /// The chances in a hundred of those that lose packets.
  private let losses: Int
  /// What an earlier connection sent this way.
  private let earlier: [[UInt8]]
  private var generator: SplitMix64
  private var buffer: [UInt8] = []
  private var records = 0
  private var isStalled = false
  /// A record that lets the next one pass.
  private var held: [UInt8]?
  /// Until when a delay holds everything back.
  private var heldUntil: Duration = .zero
  private var lastDue: Duration = .zero
  /// When the slow line has sent all that came before.
  private var freeAt: Duration = .zero
  private var burstAt: Duration = .zero

  /// Makes one direction of a connection.
  ///
  /// - Parameters:
  ///   - isFromOpener: whether it carries the bytes of the end that opened the connection.
  ///   - earlier: the records that an earlier connection sent this way, to be replayed.
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
      // Both directions draw the same.
      var chance = plan.stream("plan", "percent \(index)")
      let percent = chance.draw(fault.percent)
      var here = plan.stream("connection \(connection.number)", "chance \(index)")
      return here.happens(percent: percent)
    }.map(\.element)
    var chance = plan.stream("plan", "losses")
    losses =
      faults.lazy.compactMap { if case .retransmit(let percent) = $0.effect { percent } else { nil } }.first
      .map { chance.draw($0) } ?? 0
    generator = plan.stream(isFromOpener ? "opener" : "answerer", "connection \(connection.number)")
  }

  /// Whether the other end's closing is not noticed either.
  package var hidesTheEnd: Bool { isStalled }

  /// Takes bytes that one end sends.
  ///
  /// - Parameter isDiscovering: whether one of the two browses or advertises.
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

  /// Takes the end of what one end sends.
  package mutating func ended(at now: Duration) -> [Arrival] {
    guard let record = held else { return [] }
    held = nil
    lastDue = max(lastDue, now)
    return [.bytes(record, at: lastDue)]
  }

  /// When all that was sent has arrived.
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
    for fault in faults where records >= fault.record {
      guard fault.scope != .whileDiscovering || isDiscovering else { continue }
      let isFirst = records == fault.record
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
      case .alter where isFirst && !record.isEmpty: record[record.count - 1] ^= 1 << UInt8(generator.draw(0...7))
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

  /// How late a record is: TCP gives up long after any session here.
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
