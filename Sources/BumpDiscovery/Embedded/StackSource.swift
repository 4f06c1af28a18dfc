import Dispatch

/// Where the conversations of one discovery find the stack that they share. It exists while one of them needs it.
///
/// What is made on a stack is made and freed on one queue: its thread is none of Swift's cooperative ones, nor the
/// stack's own, which could not end itself. The queue is what makes this Sendable.
final class StackSource: @unchecked Sendable {
  /// Runs what it is given, here and now.
  typealias Surroundings = @Sendable (() -> Void) -> Void

  let queue = DispatchQueue(label: "mdns")
  private let interface: UInt32
  private let surroundings: Surroundings
  private weak var current: MDNSStack?

  /// - Parameters:
  ///   - interface: the index of the one network interface to use; 0 for all of them.
  ///   - surroundings: within which everything on the queue runs. A thread can be in a network namespace of its own.
  init(interface: UInt32, within surroundings: @escaping Surroundings) {
    self.interface = interface
    self.surroundings = surroundings
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    queue.async { self.surroundings(work) }
  }

  /// To be called on the queue, where the result must be let go of again.
  func stack() throws -> MDNSStack {
    if let current { return current }
    let stack = try MDNSStack(interface: interface)
    current = stack
    return stack
  }

  /// Tells on the queue when an interface or an address changes.
  func addressChanges(_ handler: @escaping @Sendable () -> Void) -> AddressChanges? {
    AddressChanges(on: queue) { self.surroundings(handler) }
  }
}
