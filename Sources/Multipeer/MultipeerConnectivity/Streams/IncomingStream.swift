import Foundation

/// A stream that a member has opened. It holds at most its window of unread bytes.
final class IncomingStream: InputStream {
  private let events = StreamEvents()
  private let condition = NSCondition()
  private let onRead: @Sendable (Int) -> Void
  private let onWait: @Sendable (Bool) -> Void
  private let onClose: @Sendable () -> Void
  private var bytes: [UInt8] = []
  private var status = Stream.Status.notOpen
  private var hasEnded = false
  private var failure: (any Error)?
  private var properties: [Stream.PropertyKey: AnyObject] = [:]

  /// - Parameters:
  ///   - onRead: called with the number of bytes that the program has read. The member may send as many again.
  ///   - onWait: called with `true` when a read waits for the member, and with `false` when it no longer waits.
  ///   - onClose: called when the program has closed the stream.
  init(
    onRead: @escaping @Sendable (Int) -> Void, onWait: @escaping @Sendable (Bool) -> Void,
    onClose: @escaping @Sendable () -> Void
  ) {
    (self.onRead, self.onWait, self.onClose) = (onRead, onWait, onClose)
    super.init(data: Data())
  }

  // MARK: Events from the member

  func received(_ part: [UInt8]) {
    let isOpen = condition.withLock {
      guard status != .closed else { return false }
      bytes += part
      condition.broadcast()
      return status == .open
    }
    if isOpen { events.post(.hasBytesAvailable, of: self) }
  }

  /// Ends the stream: the member has ended or cancelled it, or is gone. What has come before can still be read.
  func ended(_ error: (any Error)? = nil) {
    let isOpen = condition.withLock {
      guard !hasEnded else { return false }
      hasEnded = true
      failure = error
      condition.broadcast()
      return status == .open
    }
    if isOpen { announceEnd() }
  }

  private func announceEnd() {
    let event = condition.withLock { () -> Stream.Event? in
      guard status == .open, hasEnded, bytes.isEmpty else { return nil }
      status = failure == nil ? .atEnd : .error
      return failure == nil ? .endEncountered : .errorOccurred
    }
    if let event { events.post(event, of: self) }
  }

  // MARK: InputStream

  override func open() {
    let (wasOpened, hasBytes, isOver) = condition.withLock { () -> (Bool, Bool, Bool) in
      guard status == .notOpen else { return (false, false, false) }
      status = .open
      return (true, !bytes.isEmpty, hasEnded)
    }
    guard wasOpened else { return }
    events.post(.openCompleted, of: self)
    if hasBytes { events.post(.hasBytesAvailable, of: self) }
    if isOver { announceEnd() }
  }

  override func close() {
    let wasOpen = condition.withLock {
      guard status != .closed else { return false }
      status = .closed
      bytes = []
      condition.broadcast()
      return true
    }
    events.close()
    if wasOpen { onClose() }
  }

  /// Reads the bytes that have come. If there are none, waits, as Apple's streams do.
  ///
  /// - Returns: the number of bytes; 0 at the end; -1 if the stream is not open or has failed.
  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
    let waits = condition.withLock { status == .open && bytes.isEmpty && !hasEnded }
    if waits { onWait(true) }
    let count = condition.withLock { () -> Int in
      while status == .open, bytes.isEmpty, !hasEnded { condition.wait() }
      guard status == .open || status == .atEnd, failure == nil || !bytes.isEmpty else { return -1 }
      let count = min(length, bytes.count)
      bytes.withUnsafeBufferPointer { if let base = $0.baseAddress { buffer.update(from: base, count: count) } }
      bytes.removeFirst(count)
      return count
    }
    if waits { onWait(false) }
    guard count > 0 else {
      // The reader may see the end before the thread that ended the stream has announced it.
      announceEnd()
      return count
    }
    onRead(count)
    let (isEmpty, isOver) = condition.withLock { (bytes.isEmpty, hasEnded) }
    if !isEmpty { events.post(.hasBytesAvailable, of: self) } else if isOver { announceEnd() }
    return count
  }

  override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
  ) -> Bool { false }

  override var hasBytesAvailable: Bool { condition.withLock { status == .open && !bytes.isEmpty } }
  override var streamStatus: Stream.Status { condition.withLock { status } }
  override var streamError: (any Error)? { condition.withLock { bytes.isEmpty ? failure : nil } }

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
