import Foundation

/// Delivers a stream's events to its delegate, on the first run loop in which the stream is scheduled, in its modes.
///
/// On Linux, Foundation's streams have no events. Here a timer that is due at once delivers them: adding a timer wakes
/// a run loop that waits, which `RunLoop.perform` does not.
final class StreamEvents: @unchecked Sendable {
  private let lock = NSLock()
  private weak var delegate: (any StreamDelegate)?
  private var loops: [(loop: RunLoop, modes: Set<RunLoop.Mode>)] = []
  private var due: [Stream.Event] = []
  private var timer: Timer?
  private var isClosed = false

  var currentDelegate: (any StreamDelegate)? {
    get { lock.withLock { delegate } }
    set { lock.withLock { delegate = newValue } }
  }

  func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode, of stream: Stream) {
    lock.withLock {
      if let place = loops.firstIndex(where: { $0.loop === loop }) {
        loops[place].modes.insert(mode)
      } else {
        loops.append((loop, [mode]))
      }
    }
    rearm(stream)
  }

  func remove(from loop: RunLoop, forMode mode: RunLoop.Mode, of stream: Stream) {
    lock.withLock {
      guard let place = loops.firstIndex(where: { $0.loop === loop }) else { return }
      loops[place].modes.remove(mode)
      if loops[place].modes.isEmpty { loops.remove(at: place) }
    }
    rearm(stream)
  }

  /// Sets the timer again: pending events may be due in other modes now.
  private func rearm(_ stream: Stream) {
    lock.withLock {
      timer?.invalidate()
      timer = nil
    }
    arm(stream)
  }

  /// Stops the delivery of events.
  func close() {
    lock.withLock {
      isClosed = true
      due = []
      timer?.invalidate()
      timer = nil
    }
  }

  /// Queues an event, unless the same event is queued already.
  func post(_ event: Stream.Event, of stream: Stream) {
    let isNew = lock.withLock {
      guard !isClosed, !due.contains(event) else { return false }
      due.append(event)
      return true
    }
    if isNew { arm(stream) }
  }

  private func arm(_ stream: Stream) {
    let handover = UncheckedSendable(stream)
    lock.withLock {
      guard !isClosed, !due.isEmpty, timer == nil, let (loop, modes) = loops.first else { return }
      let timer = Timer(timeInterval: 0, repeats: false) { [weak self] _ in self?.deliver(to: handover.value) }
      self.timer = timer
      for mode in modes { loop.add(timer, forMode: mode) }
    }
  }

  /// Removes and returns the next event, and who gets it, if events are delivered on this run loop now.
  private func next(in loop: RunLoop) -> (Stream.Event, (any StreamDelegate)?)? {
    let mode = loop.currentMode
    return lock.withLock {
      guard !isClosed, !due.isEmpty, let (first, modes) = loops.first, first === loop,
        mode.map({ modes.contains($0) || modes.contains(.common) }) ?? true
      else { return nil }
      return (due.removeFirst(), delegate)
    }
  }

  private func deliver(to stream: Stream) {
    let count = lock.withLock {
      timer = nil
      return due.count
    }
    for _ in 0..<count {
      // At any event, the delegate may close the stream, or take it off this run loop.
      guard let (event, delegate) = next(in: RunLoop.current) else { break }
      delegate?.stream(stream, handle: event)
    }
    // On Apple's systems a stream is a source of its run loop, and `run(mode:before:)` returns after the first source.
    (RunLoop.current as any Returning).returnToCaller()
  }
}

private protocol Returning { func returnToCaller() }

extension RunLoop: Returning {
  /// Makes the run loop return. `_stop` is the only call for that on Linux. It is declared deprecated, for XCTest's
  /// use, so this must be too.
  @available(*, deprecated)
  fileprivate func returnToCaller() { _stop() }
}
