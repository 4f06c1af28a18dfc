import BumpDiscovery
import Dispatch

/// An Avahi client that runs on its own thread, and that other threads use under its lock only.
protocol AvahiStack: AnyObject, Sendable {
  /// The handles that calls need, valid under the lock.
  associatedtype Locked

  /// Whether the stack has failed and must be replaced.
  var hasFailed: Bool { get }

  func locked<T>(_ body: (Locked) -> T) -> T
}

/// Makes and shares the stack of a discovery, which exists while a conversation uses it.
///
/// Sendable because everything runs on its queue. The queue's thread may block, unlike Swift's cooperative ones, and
/// may end the stack's own thread.
final class StackSource<Stack: AvahiStack>: @unchecked Sendable {
  private let queue = DispatchQueue(label: "avahi")
  private let make: () throws(DiscoveryError) -> Stack
  private weak var current: Stack?

  /// - Parameter make: makes a stack; called on the queue.
  init(make: @escaping @Sendable () throws(DiscoveryError) -> Stack) {
    self.make = make
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  /// Returns the shared stack. Call it on the queue, and release the result there.
  func stack() throws(DiscoveryError) -> Stack {
    if let current, !current.hasFailed { return current }
    let stack = try make()
    current = stack
    return stack
  }
}
