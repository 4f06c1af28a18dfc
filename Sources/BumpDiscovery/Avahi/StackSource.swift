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
  /// Runs what it is given, here and now.
  typealias Surroundings = @Sendable (() -> Void) -> Void

  private let queue = DispatchQueue(label: "avahi")
  private let surroundings: Surroundings
  private let make: () throws(DiscoveryError) -> Stack
  private weak var current: Stack?

  /// - Parameters:
  ///   - surroundings: within which everything on the queue runs. A thread can be in a network namespace of its own.
  ///   - make: makes a stack, on the queue.
  init(
    within surroundings: @escaping Surroundings = { $0() }, make: @escaping @Sendable () throws(DiscoveryError) -> Stack
  ) {
    self.surroundings = surroundings
    self.make = make
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    queue.async { self.surroundings(work) }
  }

  /// To be called on the queue, where the result must be let go of again.
  func stack() throws(DiscoveryError) -> Stack {
    if let current, !current.hasFailed { return current }
    let stack = try make()
    current = stack
    return stack
  }

  /// Tells on the queue when an interface or an address changes.
  func addressChanges(_ handler: @escaping @Sendable () -> Void) -> AddressChanges? {
    AddressChanges(on: queue) { self.surroundings(handler) }
  }
}
