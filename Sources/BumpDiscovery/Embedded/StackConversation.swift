/// One lookup or publication on a stack, whose callbacks it receives.
///
/// What is marked so is touched on the source's queue only, and `receiver` only under the stack's lock once the conversation
/// is open; that makes it Sendable.
final class StackConversation<Reply>: @unchecked Sendable {
  /// Begins something on the stack with `context` as its userdata. Gives what ends it, or an error of the stack.
  /// Both run on the queue, under the lock.
  typealias Opening = (_ stack: MDNSStack.Locked, _ context: UnsafeMutableRawPointer) throws(DiscoveryError) -> () ->
    Void

  let source: StackSource
  private var receiver: ((Result<Reply, DiscoveryError>) -> Void)?
  /// On the queue.
  private var open: (stack: MDNSStack, close: () -> Void)?

  /// - Parameter receiver: takes the replies. A failure is the last.
  init(on source: StackSource, _ receiver: sending @escaping (Result<Reply, DiscoveryError>) -> Void) {
    self.source = source
    self.receiver = receiver
  }

  /// The object behind a callback's userdata.
  static func from(_ context: UnsafeMutableRawPointer?) -> StackConversation? {
    context.map { Unmanaged<StackConversation>.fromOpaque($0).takeUnretainedValue() }
  }

  func start(_ opening: @escaping @Sendable (MDNSStack) -> Opening) {
    source.perform { [self] in
      guard let receiver else { return }
      do {
        let stack = try source.stack()
        let begin = opening(stack)
        let context = Unmanaged.passRetained(self)
        do {
          open = (stack, try stack.locked { locked in Result { try begin(locked, context.toOpaque()) } }.get())
        } catch {
          context.release()
          throw error
        }
      } catch {
        receiver(.failure(error as? DiscoveryError ?? DiscoveryError(.failed, "multicast DNS failed: \(error)")))
        self.receiver = nil
      }
    }
  }

  /// Ends the conversation. May be called at any time, from anywhere, more than once.
  func cancel() {
    source.perform { [self] in
      guard let (stack, close) = open else {
        receiver = nil
        return
      }
      open = nil
      stack.locked { _ in
        receiver = nil
        close()
      }
      Unmanaged.passUnretained(self).release()
    }
  }

  /// Takes what a callback said. Only for callbacks.
  func receive(_ reply: Result<Reply, DiscoveryError>) {
    receiver?(reply)
    if case .failure = reply {
      receiver = nil
      cancel()
    }
  }
}
