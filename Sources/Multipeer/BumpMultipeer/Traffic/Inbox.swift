/// The frames received from one member: puts parts together to messages, and tracks the streams and resources that the
/// member has opened. It rejects what a member may not send, keeps at most one message, and limits each stream to its
/// window.
public struct Inbox: Sendable {
  /// An event for the driver.
  public enum Event: Sendable, Hashable {
    /// A complete message of at most `MultipeerLimits.message` bytes.
    case message([UInt8], isReliable: Bool)
    /// The member has opened a stream. Its name has 1 to 63 bytes of UTF-8.
    case stream(TransferID, name: String)
    /// The member has opened a resource. `size` is its length in bytes; `nil` if it is not known in advance.
    case resource(TransferID, name: String, size: UInt64?)
    /// Bytes of a stream or a resource.
    case part(TransferID, [UInt8])
    /// A stream has ended, or a resource is complete. For a resource, answer with `received` once it is in its place.
    case end(TransferID)
    /// The member has cancelled the transfer.
    case cancelled(TransferID)
    /// The member takes no more of a transfer that this end has opened.
    case stopped(TransferID)
    /// The member can receive this many more bytes of a stream that this end has opened.
    case credit(TransferID, UInt32)
    /// The member has all of a resource that this end has sent.
    case received(TransferID)
  }

  private enum Transfer {
    /// How many bytes the member may still send.
    case stream(credit: Int)
    case resource(left: UInt64?)
  }

  private var message: [UInt8] = []
  private var messageIsReliable: Bool?
  private var transfers: [TransferID: Transfer] = [:]
  private var nextID: TransferID = 0

  /// Makes an empty inbox.
  public init() {}

  /// Handles a frame of a message, a stream or a resource.
  ///
  /// - Throws: `MultipeerError.order` for what the member may not send. Then end the session with it.
  public mutating func handle(_ frame: LinkFrame) throws(MultipeerError) -> Event? {
    switch frame {
    case .message(let isLast, let isReliable, let part): try take(part, isLast, isReliable)
    case .transfer(let id, let frame): try take(frame, id)
    default: throw Link.outOfTurn
    }
  }

  /// Records that the program has read bytes of a stream. Returns the frame for the member; `nil` if the stream has
  /// ended.
  public mutating func consumed(_ count: Int, of id: TransferID) -> LinkFrame? {
    guard count > 0, case .stream(let credit) = transfers[id] else { return nil }
    transfers[id] = .stream(credit: credit + count)
    return .transfer(id, .credit(UInt32(count)))
  }

  /// Stops a transfer of the member: the program takes no more. Returns the frame for the member, or `nil` if the
  /// transfer has ended. Parts that are still on the way are dropped.
  public mutating func stop(_ id: TransferID) -> LinkFrame? {
    guard transfers.removeValue(forKey: id) != nil else { return nil }
    return .transfer(id, .stop)
  }

  /// The streams and resources of the member that have not ended.
  public var open: [TransferID] { transfers.keys.sorted() }

  private mutating func take(_ part: [UInt8], _ isLast: Bool, _ isReliable: Bool) throws(MultipeerError) -> Event? {
    guard messageIsReliable ?? isReliable == isReliable, message.count + part.count <= MultipeerLimits.message else {
      throw Link.outOfTurn
    }
    // An empty part that is not the last one would cost work and carry nothing.
    guard isLast || !part.isEmpty else { throw Link.outOfTurn }
    if message.isEmpty { message = part } else { message += part }
    messageIsReliable = isReliable
    guard isLast else { return nil }
    defer { (message, messageIsReliable) = ([], nil) }
    return .message(message, isReliable: isReliable)
  }

  private mutating func take(_ frame: TransferFrame, _ id: TransferID) throws(MultipeerError) -> Event? {
    switch frame {
    case .stream(let name):
      try begin(id, .stream(credit: MultipeerLimits.streamWindow))
      return .stream(id, name: name)
    case .resource(let name, let size):
      try begin(id, .resource(left: size))
      return .resource(id, name: name, size: size)
    case .stop: return .stopped(id)
    case .credit(let count): return .credit(id, count)
    case .received: return .received(id)
    case .part, .end, .cancel: break
    }
    guard let transfer = transfers[id] else {
      // Frames of a transfer that was stopped here may still be on the way.
      guard id < nextID else { throw Link.outOfTurn }
      return nil
    }
    switch (frame, transfer) {
    case (.part(let part), .stream(let credit)):
      guard !part.isEmpty, part.count <= credit else { throw Link.outOfTurn }
      transfers[id] = .stream(credit: credit - part.count)
      return .part(id, part)
    case (.part(let part), .resource(let left)):
      guard !part.isEmpty, left.map({ UInt64(part.count) <= $0 }) ?? true else { throw Link.outOfTurn }
      transfers[id] = .resource(left: left.map { $0 - UInt64(part.count) })
      return .part(id, part)
    case (.end, .resource(let left)) where left ?? 0 != 0: throw Link.outOfTurn
    case (.end, _):
      transfers[id] = nil
      return .end(id)
    default:
      transfers[id] = nil
      return .cancelled(id)
    }
  }

  private mutating func begin(_ id: TransferID, _ transfer: Transfer) throws(MultipeerError) {
    guard id == nextID, id < .max, transfers.count < MultipeerLimits.transfers else { throw Link.outOfTurn }
    nextID += 1
    transfers[id] = transfer
  }
}
