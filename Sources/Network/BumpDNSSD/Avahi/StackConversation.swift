import BumpDiscovery

/// One lookup or registration on an Avahi stack, which receives its callbacks.
///
/// Sendable because `active` is used on the source's queue only, and `receiver` either there or, while the conversation
/// is active, under the stack's lock.
final class StackConversation<Stack: AvahiStack, Reply>: @unchecked Sendable {
  /// Starts the lookup or registration with `context` as its userdata, and returns the closure that ends it. Both run
  /// on the source's queue, under the stack's lock.
  typealias Start =
    @Sendable (
      _ locked: Stack.Locked, _ context: UnsafeMutableRawPointer, _ stack: Stack
    ) throws(DiscoveryError) -> () -> Void

  let source: StackSource<Stack>
  private var receiver: ((Result<Reply, DiscoveryError>) -> Void)?
  /// The stack, and the closure that ends the lookup or registration; `nil` before and after.
  private var active: (stack: Stack, end: () -> Void)?

  /// - Parameter receiver: receives the replies. A failure is the last one.
  init(on source: StackSource<Stack>, _ receiver: sending @escaping (Result<Reply, DiscoveryError>) -> Void) {
    self.source = source
    self.receiver = receiver
  }

  /// Returns the conversation in a callback's userdata.
  static func from(_ context: UnsafeMutableRawPointer?) -> StackConversation? {
    context.map { Unmanaged<StackConversation>.fromOpaque($0).takeUnretainedValue() }
  }

  func start(_ begin: @escaping Start) {
    source.perform { [self] in
      guard let receiver else { return }
      do throws(DiscoveryError) {
        let stack = try source.stack()
        let context = Unmanaged.passRetained(self)
        do throws(DiscoveryError) {
          let result = stack.locked { locked in
            Result { () throws(DiscoveryError) in try begin(locked, context.toOpaque(), stack) }
          }
          active = (stack, try result.get())
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

  /// Ends the conversation. May be called at any time, from any thread, more than once.
  func cancel() {
    source.perform { [self] in
      guard let (stack, end) = active else {
        receiver = nil
        return
      }
      active = nil
      stack.locked { _ in
        receiver = nil
        end()
      }
      Unmanaged.passUnretained(self).release()
    }
  }

  /// Passes on a reply. Only for callbacks.
  func receive(_ reply: Result<Reply, DiscoveryError>) {
    receiver?(reply)
    if case .failure = reply {
      receiver = nil
      cancel()
    }
  }
}

extension AsyncThrowingStream.Continuation where Element: Sendable, Failure == any Error {
  /// Returns a conversation that yields the element that `news` returns for each reply, and finishes the stream with a
  /// failure.
  func conversation<Stack, Reply>(
    on source: StackSource<Stack>, news: sending @escaping (Reply) -> Element?
  ) -> StackConversation<Stack, Reply> {
    StackConversation(on: source, receiver(news: news))
  }
}
