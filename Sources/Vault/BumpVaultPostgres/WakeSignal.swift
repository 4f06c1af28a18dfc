import Synchronization

/// Wakes one listener. If the bell rings several times while the listener is busy, the listener wakes once more.
final class WakeSignal: Sendable {
  private let listener = Mutex<AsyncStream<Void>.Continuation?>(nil)

  func ring() { listener.withLock { _ = $0?.yield() } }

  /// Returns the rings from now on. The stream of an earlier listener ends.
  func rings() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    listener.withLock { listener in
      listener?.finish()
      listener = continuation
    }
    return stream
  }
}
