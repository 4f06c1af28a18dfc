/// The frames that one end still has to send to one member: messages one after the other, and streams and resources
/// beside them, each in its turn. So a large transfer delays a message only by one part per turn.
public struct Outbox: Sendable {
  private struct Message {
    let isReliable: Bool
    let bytes: [UInt8]
    var sent = 0
  }

  private struct Stream {
    var bytes: [UInt8] = []
    var credit = MultipeerLimits.streamWindow
    var hasEnded = false
  }

  private enum Transfer {
    case stream(Stream)
    /// `isAwaited` is whether a part of the resource was asked for and has not come.
    case resource(isAwaited: Bool)
  }

  /// The next action of the driver.
  public enum Step: Sendable, Hashable {
    /// Send this frame to the member.
    case send(LinkFrame)
    /// Read up to `MultipeerLimits.part` bytes of a resource. Answer with `part`, `end` or `cancel`.
    case read(TransferID)
  }

  private var messages = Queue<Message>()
  /// Answers about the member's transfers: at most one for each. They are sent first.
  private var answers = Queue<LinkFrame>()
  /// How much the member may send again of each stream, at most its window. One frame for all of it: a program may read
  /// byte by byte.
  private var credits: [TransferID: UInt32] = [:]
  /// Frames that are sent next: openings and cancellations of transfers, and ends of resources.
  private var urgent: [LinkFrame] = []
  private var transfers: [TransferID: Transfer] = [:]
  /// The opened transfers in the order of their turns. The messages have one turn, `nil`.
  private var turns: [TransferID?] = [nil]
  private var nextID: TransferID = 0
  /// The transfers that are not opened yet, since the member keeps only so many open at once, each with its frames.
  private var unopened: [(id: TransferID, frames: [LinkFrame])] = []
  /// How many transfers the member has open.
  private var openCount = 0
  /// Parts of resources that were read, and are sent in their turn.
  private var parts: [TransferID: [UInt8]] = [:]

  /// Makes an empty outbox.
  public init() {}

  /// How many bytes of messages and streams wait here.
  public private(set) var waiting = 0

  /// Adds a message.
  ///
  /// - Precondition: the message has at most `MultipeerLimits.message` bytes.
  public mutating func add(_ message: [UInt8], isReliable: Bool) {
    precondition(message.count <= MultipeerLimits.message)
    messages.append(Message(isReliable: isReliable, bytes: message))
    waiting += message.count
  }

  /// Opens a stream, and returns its number.
  public mutating func openStream(_ name: String) -> TransferID { begin(.stream(Stream()), .stream(name: name)) }

  /// Returns how many bytes a stream takes now: the member's credit without the bytes that wait.
  public func space(in id: TransferID) -> Int {
    guard case .stream(let stream) = transfers[id], !stream.hasEnded else { return 0 }
    return max(0, stream.credit - stream.bytes.count)
  }

  /// Adds bytes to a stream. Bytes beyond its space wait for credit from the member.
  public mutating func write(_ bytes: some Collection<UInt8>, to id: TransferID) {
    guard case .stream(var stream) = transfers[id], !stream.hasEnded else { return }
    stream.bytes += bytes
    waiting += bytes.count
    transfers[id] = .stream(stream)
  }

  /// Opens a resource, and returns its number.
  ///
  /// - Parameter size: the size in bytes; `nil` if it is not known.
  public mutating func openResource(_ name: String, size: UInt64?) -> TransferID {
    begin(.resource(isAwaited: false), .resource(name: name, size: size))
  }

  /// Adds the part of a resource that the step `read` asked for.
  public mutating func part(_ bytes: [UInt8], of id: TransferID) {
    guard case .resource(isAwaited: true) = transfers[id] else { return }
    parts[id] = bytes
  }

  /// Ends a resource now, or a stream after the bytes that wait.
  public mutating func end(_ id: TransferID) {
    switch transfers[id] {
    case .stream(var stream):
      stream.hasEnded = true
      transfers[id] = .stream(stream)
    case .resource: forget(id, saying: .end)
    case nil: break
    }
  }

  /// Cancels a transfer. The bytes of it that wait are not sent.
  public mutating func cancel(_ id: TransferID) { forget(id, saying: .cancel) }

  /// Ends a transfer of which the member takes no more.
  public mutating func stopped(_ id: TransferID) { forget(id) }

  /// Adds credit to a stream: the member has read this many bytes.
  public mutating func credit(_ count: UInt32, of id: TransferID) {
    guard case .stream(var stream) = transfers[id] else { return }
    // An honest member never grants more than the window.
    stream.credit = min(stream.credit + Int(count), MultipeerLimits.streamWindow)
    transfers[id] = .stream(stream)
  }

  /// Checks an event of the inbox.
  ///
  /// - Throws: `MultipeerError.order` if it is about a transfer that this end must have opened and has not, or about a
  ///   resource that the member says to have before all of it was sent; and if the member leaves too many answers unread.
  ///   Then end the session with the member.
  public func check(_ event: Inbox.Event) throws(MultipeerError) {
    // A member that reads nothing could otherwise fill this end's memory with answers.
    guard answers.count + credits.count < MultipeerLimits.answers else { throw Link.outOfTurn }
    switch event {
    case .stopped(let id), .credit(let id, _): guard isOpened(id) else { throw Link.outOfTurn }
    case .received(let id): guard isOpened(id), transfers[id] == nil else { throw Link.outOfTurn }
    default: break
    }
  }

  private func isOpened(_ id: TransferID) -> Bool { id < unopened.first?.id ?? nextID }

  /// Adds an answer about one of the member's transfers. It is sent before all else.
  public mutating func say(_ frame: LinkFrame) {
    switch frame {
    case .transfer(let id, .credit(let count)):
      let most = UInt32(MultipeerLimits.streamWindow)
      credits[id] = min(credits[id, default: 0] + min(count, most), most)
    case .transfer(let id, .stop):
      credits[id] = nil
      answers.append(frame)
    default: answers.append(frame)
    }
  }

  /// Returns the next action, to be called while the connection has room; `nil` if there is nothing to do.
  public mutating func next() -> Step? {
    if let answer = answers.popFirst() { return .send(answer) }
    if let id = credits.keys.min(), let count = credits.removeValue(forKey: id) {
      return .send(.transfer(id, .credit(count)))
    }
    if !urgent.isEmpty { return .send(urgent.removeFirst()) }
    for _ in turns.indices {
      let turn = turns.removeFirst()
      turns.append(turn)
      if let step = turn.map({ next(of: $0) }) ?? nextMessage() { return step }
    }
    return nil
  }

  private mutating func nextMessage() -> Step? {
    guard var message = messages.first else { return nil }
    let end = min(message.bytes.count, message.sent + MultipeerLimits.part)
    let isLast = end == message.bytes.count
    // A message of one part is sent without a copy.
    let part = isLast && message.sent == 0 ? message.bytes : Array(message.bytes[message.sent..<end])
    message.sent = end
    waiting -= part.count
    if isLast { _ = messages.popFirst() } else { messages.first = message }
    return .send(.message(isLast: isLast, isReliable: message.isReliable, part: part))
  }

  private mutating func next(of id: TransferID) -> Step? {
    switch transfers[id] {
    case .stream(var stream):
      let count = min(stream.bytes.count, stream.credit, MultipeerLimits.part)
      if count > 0 {
        let part = Array(stream.bytes.prefix(count))
        stream.bytes.removeFirst(count)
        stream.credit -= count
        waiting -= count
        transfers[id] = .stream(stream)
        return .send(.transfer(id, .part(part)))
      }
      guard stream.hasEnded, stream.bytes.isEmpty else { return nil }
      // Nothing else is urgent: that would have been sent before.
      forget(id, saying: .end)
      return .send(urgent.removeFirst())
    case .resource(let isAwaited):
      if let part = parts.removeValue(forKey: id) {
        transfers[id] = .resource(isAwaited: false)
        return .send(.transfer(id, .part(part)))
      }
      guard !isAwaited else { return nil }
      transfers[id] = .resource(isAwaited: true)
      return .read(id)
    case nil: return nil
    }
  }

  private mutating func begin(_ transfer: Transfer, _ opening: TransferFrame) -> TransferID {
    let id = nextID
    nextID += 1
    transfers[id] = transfer
    unopened.append((id, [.transfer(id, opening)]))
    openNext()
    return id
  }

  /// Opens transfers in the order of their numbers, as many as the member may have open.
  private mutating func openNext() {
    while openCount < MultipeerLimits.transfers, let (id, frames) = unopened.first {
      urgent += frames
      unopened.removeFirst()
      // One that was cancelled meanwhile is opened and over at once.
      guard transfers[id] != nil else { continue }
      turns.append(id)
      openCount += 1
    }
  }

  /// Removes a transfer, and says so to the member. One that is not opened yet is still opened in its turn, since the
  /// numbers have no gaps.
  private mutating func forget(_ id: TransferID, saying frame: TransferFrame? = nil) {
    guard let transfer = transfers.removeValue(forKey: id) else { return }
    if case .stream(let stream) = transfer { waiting -= stream.bytes.count }
    turns.removeAll { $0 == id }
    parts[id] = nil
    let last = frame.map { [LinkFrame.transfer(id, $0)] } ?? []
    if let place = unopened.firstIndex(where: { $0.id == id }) {
      unopened[place].frames += last
    } else {
      urgent += last
      openCount -= 1
    }
    openNext()
  }
}
