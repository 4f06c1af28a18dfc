/// One lookup or publication on a stack, whose callbacks it receives.
///
/// What is marked so is touched on the source's queue only, and `receiver` only under the stack's lock once the conversation
/// is open; that makes it Sendable.
final class StackConversation<Stack: AvahiStack, Reply>: @unchecked Sendable {
  /// Begins something on the stack with `context` as its userdata. Gives what ends it, or an error of the stack.
  /// Both run on the queue, under the lock.
  typealias Opening =
    @Sendable (
      _ locked: Stack.Locked, _ context: UnsafeMutableRawPointer, _ stack: Stack
    ) throws(DiscoveryError) -> () -> Void

  let source: StackSource<Stack>
  private var receiver: ((Result<Reply, DiscoveryError>) -> Void)?
  /// On the queue.
  private var open: (stack: Stack, close: () -> Void)?

  /// - Parameter receiver: takes the replies. A failure is the last.
  init(on source: StackSource<Stack>, _ receiver: sending @escaping (Result<Reply, DiscoveryError>) -> Void) {
    self.source = source
    self.receiver = receiver
  }

  /// The object behind a callback's userdata.
  static func from(_ context: UnsafeMutableRawPointer?) -> StackConversation? {
    context.map { Unmanaged<StackConversation>.fromOpaque($0).takeUnretainedValue() }
  }

  func start(_ opening: @escaping Opening) {
    source.perform { [self] in
      guard let receiver else { return }
      do throws(DiscoveryError) {
        let stack = try source.stack()
        let context = Unmanaged.passRetained(self)
        do throws(DiscoveryError) {
          let result = stack.locked { locked in
            Result { () throws(DiscoveryError) in try opening(locked, context.toOpaque(), stack) }
          }
          open = (stack, try result.get())
        } catch {
          context.release()
          throw error
        }
      } catch {
        receiver(.failure(error))
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

extension AsyncThrowingStream.Continuation where Element: Sendable, Failure == any Error {
  /// A conversation whose replies the stream yields, as far as they are news, and whose failure is its end.
  func conversation<Stack, Reply>(
    on source: StackSource<Stack>, news: sending @escaping (Reply) -> Element?
  ) -> StackConversation<Stack, Reply> {
    StackConversation(on: source, receiver(news: news))
  }
}
