import Synchronization

/// Wakes one listener. Who rings while it is awake wakes it once more, however often.
final class Bell: Sendable {
  private let listener = Mutex<AsyncStream<Void>.Continuation?>(nil)

  func ring() { listener.withLock { _ = $0?.yield() } }

  /// The rings from now on. Who listened before hears no more.
  func rings() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    listener.withLock { listener in
      listener?.finish()
      listener = continuation
    }
    return stream
  }
}
