/// Parses a stream of server-sent events (HTML Living Standard §9.2.6) as it is received.
public struct EventParser: Sendable {
  /// An event of the stream.
  public struct Event: Hashable, Sendable {
    /// The event's name, from the field `event`; `message` if the stream names none.
    public let name: String
    /// The contents of the event's fields `data`, with a line feed between them.
    public let data: [UInt8]

    /// Makes an event of contents that were already parsed.
    public init(name: String, data: [UInt8]) {
      (self.name, self.data) = (name, data)
    }
  }

  /// The greatest number of bytes of an event. A longer event is dropped.
  public static let maximumCount = 32 * 1024

  private var line: [UInt8] = []
  private var name = "message"
  private var data: [UInt8]?
  private var count = 0
  private var lastWasReturn = false

  /// Makes a parser for one stream, from its first byte on. The next stream needs a new parser.
  public init() {}

  /// Parses received bytes, and returns the events that they complete. Ignores comments.
  public mutating func parse(_ bytes: some Sequence<UInt8>) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      // A line ends with CR, LF or both.
      defer { lastWasReturn = byte == 0x0D }
      if byte == 0x0A, lastWasReturn { continue }
      guard byte == 0x0A || byte == 0x0D else {
        count += 1
        if count <= Self.maximumCount { line.append(byte) }
        continue
      }
      if let event = endLine() { events.append(event) }
    }
    return events
  }

  private mutating func endLine() -> Event? {
    defer { line = [] }
    guard !line.isEmpty else {
      defer { (name, data, count) = ("message", nil, 0) }
      guard count <= Self.maximumCount else { return nil }
      return data.map { Event(name: name, data: $0) }
    }
    let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    var value = parts.count == 2 ? parts[1] : []
    if value.first == 0x20 { value = value.dropFirst() }
    switch String(decoding: parts[0], as: UTF8.self) {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data": data = data.map { $0 + [0x0A] + value } ?? Array(value)
    // A comment begins with a colon. It ends no event, and its bytes do not count as an event's.
    case "" where data == nil: count = 0
    default: break
    }
    return nil
  }
}
