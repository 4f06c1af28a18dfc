import Glibc

/// Carries the frames of one direction of one connection.
struct Pump {
  private let connection: Int
  private let direction: Direction
  private let source: Socket
  private let target: Socket
  private let record: Record
  /// A frame that lets the next pass first.
  private var held: Passage?

  init(_ connection: Int, _ direction: Direction, from source: Socket, to target: Socket, _ record: Record) {
    (self.connection, self.direction, self.record) = (connection, direction, record)
    (self.source, self.target) = (source, target)
  }

  /// Ends when the source has ended, or the target takes no more.
  consuming func run(_ decide: Proxy.Decide) {
    var number = 0
    while let bytes = source.readFrame() {
      let passage = Passage(connection: connection, direction: direction, number: number, bytes: bytes)
      record.came(passage)
      guard carry(passage, decide(passage)) else {
        // Closed here is closed there: whoever still writes is to know.
        source.end()
        target.end()
        return
      }
      number += 1
    }
    if let held { write(held, held.bytes) }
    target.endWriting()
  }

  /// - Returns: whether the connection goes on.
  private mutating func carry(_ passage: Passage, _ fate: Fate) -> Bool {
    switch fate {
    case .drop:
      return true
    case .reorder:
      held = passage
      return true
    case .cut(let count):
      // Too few bytes for a frame are none that went on.
      target.write(Array(passage.bytes.prefix(count)))
      return false
    case .forward:
      return write(passage, passage.bytes) && release()
    case .double:
      return write(passage, passage.bytes) && write(passage, passage.bytes)
    case .delay(let milliseconds):
      usleep(milliseconds * 1000)
      return write(passage, passage.bytes)
    case .flip(let bit):
      var bytes = passage.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      return write(passage, bytes)
    case .replace(let bytes):
      return write(passage, bytes)
    case .forwardThen(let action):
      let isOpen = write(passage, passage.bytes)
      action()
      return isOpen
    }
  }

  private mutating func release() -> Bool {
    guard let passage = held else { return true }
    held = nil
    return write(passage, passage.bytes)
  }

  @discardableResult
  private func write(_ passage: Passage, _ bytes: [UInt8]) -> Bool {
    // Noted before: the other end may have acted on it before this thread comes to note it.
    record.went(
      Passage(connection: passage.connection, direction: passage.direction, number: passage.number, bytes: bytes))
    return target.write(bytes)
  }
}
