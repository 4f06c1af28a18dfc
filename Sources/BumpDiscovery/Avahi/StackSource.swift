import Dispatch

/// Something of Avahi's that works on a thread of its own, and that others touch under its lock only.
protocol AvahiStack: AnyObject, Sendable {
  /// What is called on it.
  associatedtype Locked

  /// Whether it is of no use any more.
  var hasFailed: Bool { get }

  func locked<T>(_ body: (Locked) -> T) -> T
}

/// Where the conversations of one discovery find the stack that they share. It exists while one of them needs it.
///
/// What is made on a stack is made and freed on one queue: its thread is none of Swift's cooperative ones, nor the
/// stack's own, which could not end itself. The queue is what makes this Sendable.
final class StackSource<Stack: AvahiStack>: @unchecked Sendable {
  private let queue = DispatchQueue(label: "avahi")
  private let make: () throws(DiscoveryError) -> Stack
  private weak var current: Stack?

  /// - Parameter make: makes a stack, on the queue.
  init(make: @escaping @Sendable () throws(DiscoveryError) -> Stack) {
    self.make = make
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  /// To be called on the queue, where the result must be let go of again.
  func stack() throws(DiscoveryError) -> Stack {
    if let current, !current.hasFailed { return current }
    let stack = try make()
    current = stack
    return stack
  }
}
