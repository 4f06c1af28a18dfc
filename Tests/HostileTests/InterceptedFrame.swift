import BumpWire

/// Which way a frame goes.
enum Direction: Hashable, Sendable, CaseIterable {
  case fromSender, fromReceiver
}

/// One frame on its way through the proxy.
struct InterceptedFrame: Sendable, CustomStringConvertible {
  /// Of which connection, the first being 0.
  let connection: Int
  let direction: Direction
  /// Which of its direction, the first being 0.
  let number: Int
  /// As on the wire, length and type included.
  let bytes: [UInt8]

  var type: FrameType? { bytes.count > 2 ? FrameType(rawValue: bytes[2]) : nil }

  /// The place of a frame in an undisturbed session.
  struct Position: Hashable, Sendable, CustomStringConvertible {
    let direction: Direction
    let number: Int

    var description: String { "\(direction) \(number)" }
  }

  var place: Position { Position(direction: direction, number: number) }

  var description: String { "\(connection): \(place) \(type.map { "\($0)" } ?? "?"), \(bytes.count) bytes" }
}

/// What a frame brings about, which no plan can say.
enum Fate: Sendable {
  case forward
  /// It goes on, and then something happens.
  case forwardThen(@Sendable () -> Void)
}
