import BumpFaults
import Glibc

/// Carries the frames of one direction of one connection, as a plan has it.
struct Pump {
  private let connection: Int
  private let direction: Direction
  private let source: Socket
  private let target: Socket
  private let record: Record
  private let begun = ContinuousClock.now
  private var flow: FaultyFlow
  /// The number of each frame that the plan has, or had: it may be the next one's turn when a frame goes on.
  private var numbers: [[UInt8]: Int] = [:]

  init(
    _ connection: Int, _ direction: Direction, from source: Socket, to target: Socket, _ flow: FaultyFlow,
    _ record: Record
  ) {
    (self.connection, self.direction, self.flow, self.record) = (connection, direction, flow, record)
    (self.source, self.target) = (source, target)
  }

  private var now: Duration { begun.duration(to: .now) }

  /// Ends when the source has ended, or the target takes no more.
  consuming func run(_ decide: Proxy.Decide) {
    var number = 0
    while let bytes = source.readFrame() {
      let frame = InterceptedFrame(connection: connection, direction: direction, number: number, bytes: bytes)
      record.came(frame)
      guard carry(frame, decide(frame)) else {
        // Closed here is closed there: whoever still writes is to know.
        source.end()
        target.end()
        return
      }
      number += 1
    }
    _ = deliver(flow.ended(at: now), number)
    target.endWriting()
  }

  /// - Returns: whether the connection goes on.
  private mutating func carry(_ frame: InterceptedFrame, _ fate: Fate) -> Bool {
    numbers[frame.bytes] = frame.number
    let isOpen = deliver(flow.sent(frame.bytes, at: now), frame.number)
    if case .forwardThen(let action) = fate { action() }
    return isOpen
  }

  /// - Returns: whether the connection goes on: a cut is one for both ends.
  private func deliver(_ arrivals: [FaultyFlow.Arrival], _ number: Int) -> Bool {
    for arrival in arrivals {
      switch arrival {
      case .bytes(let bytes, let due):
        wait(until: due)
        guard write(bytes, number) else { return false }
      case .cut(let due, _):
        wait(until: due)
        return false
      }
    }
    return true
  }

  private func wait(until due: Duration) {
    let left = (due - now) / .microseconds(1)
    if left > 0 { usleep(UInt32(left)) }
  }

  private func write(_ bytes: [UInt8], _ number: Int) -> Bool {
    // Too few bytes for a frame are none that went on. Noted before: the other end may have acted on it before this thread
    // comes to note it.
    if bytes.count > 2, bytes.count == 2 + (Int(bytes[0]) << 8 | Int(bytes[1])) {
      record.went(
        InterceptedFrame(connection: connection, direction: direction, number: numbers[bytes] ?? number, bytes: bytes))
    }
    return target.write(bytes)
  }
}
