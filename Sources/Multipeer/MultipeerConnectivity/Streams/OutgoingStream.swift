import BumpMultipeer
import Foundation

/// A stream to a member. It takes as many bytes as the member has room for.
final class OutgoingStream: OutputStream {
  private let events = StreamEvents()
  private let condition = NSCondition()
  /// How many bytes can be written now.
  private var room = MultipeerLimits.streamWindow
  private var send: @Sendable ([UInt8]) -> Void = { _ in }
  private var onWait: @Sendable (Bool) -> Void = { _ in }
  private var onClose: @Sendable () -> Void = {}
  private var status = Stream.Status.notOpen
  private var hasEnded = false
  private var failure: (any Error)?
  private var properties: [Stream.PropertyKey: AnyObject] = [:]

  required init(toMemory: ()) { super.init(toMemory: ()) }

  /// - Parameter onWait: called with `true` when a write waits for the member, and with `false` when it no longer
  ///   waits.
  convenience init(
    send: @escaping @Sendable ([UInt8]) -> Void, onWait: @escaping @Sendable (Bool) -> Void,
    onClose: @escaping @Sendable () -> Void
  ) {
    self.init(toMemory: ())
    (self.send, self.onWait, self.onClose) = (send, onWait, onClose)
  }

  // MARK: Events from the member

  /// Adds room: the member has read this many bytes.
  func hasRoom(for count: Int) {
    let isOpen = condition.withLock {
      // An honest member never grants more than the window.
      room = min(room + count, MultipeerLimits.streamWindow)
      condition.broadcast()
      return status == .open
    }
    if isOpen { events.post(.hasSpaceAvailable, of: self) }
  }

  /// Ends the stream: the member takes no more bytes, or is gone.
  func ended(_ error: (any Error)?) {
    condition.withLock {
      hasEnded = true
      failure = error
      condition.broadcast()
    }
    announceEnd()
  }

  /// A program that has not opened the stream yet is informed once it does.
  private func announceEnd() {
    let event = condition.withLock { () -> Stream.Event? in
      guard status == .open, hasEnded else { return nil }
      status = failure == nil ? .atEnd : .error
      return failure == nil ? .endEncountered : .errorOccurred
    }
    if let event { events.post(event, of: self) }
  }

  // MARK: OutputStream

  override func open() {
    let wasOpened = condition.withLock {
      guard status == .notOpen else { return false }
      status = .open
      return true
    }
    guard wasOpened else { return }
    events.post(.openCompleted, of: self)
    announceEnd()
    if hasSpaceAvailable { events.post(.hasSpaceAvailable, of: self) }
  }

  override func close() {
    let wasOpen = condition.withLock {
      guard status != .closed else { return false }
      status = .closed
      condition.broadcast()
      return true
    }
    events.close()
    if wasOpen { onClose() }
  }

  /// Writes as many bytes as the member has room for. If there is no room, waits, as Apple's streams do.
  ///
  /// - Returns: the number of bytes; 0 if the member takes no more; -1 if the stream is not open or has failed.
  override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
    guard length > 0 else { return 0 }
    let waits = condition.withLock { status == .open && room == 0 }
    if waits { onWait(true) }
    let count = condition.withLock { () -> Int in
      while status == .open, !hasEnded, room == 0 { condition.wait() }
      guard status == .open || status == .atEnd, failure == nil else { return -1 }
      if hasEnded { return 0 }
      let count = min(length, room)
      room -= count
      return count
    }
    if waits { onWait(false) }
    guard count > 0 else { return count }
    send(Array(UnsafeBufferPointer(start: buffer, count: count)))
    if hasSpaceAvailable { events.post(.hasSpaceAvailable, of: self) }
    return count
  }

  override var hasSpaceAvailable: Bool { condition.withLock { status == .open && room > 0 } }
  override var streamStatus: Stream.Status { condition.withLock { status } }
  override var streamError: (any Error)? { condition.withLock { failure } }

  override var delegate: (any StreamDelegate)? {
    get { events.currentDelegate }
    set { events.currentDelegate = newValue }
  }

  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    events.schedule(in: aRunLoop, forMode: mode, of: self)
  }

  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    events.remove(from: aRunLoop, forMode: mode, of: self)
  }

  override func property(forKey key: Stream.PropertyKey) -> AnyObject? { condition.withLock { properties[key] } }

  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
    condition.withLock { properties[key] = property }
    return true
  }
}
