import Foundation

/// A value that is used on one queue at a time, which the compiler cannot see. Apple's classes and their delegates are
/// not Sendable, but are called from queues.
struct UncheckedSendable<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// A weak reference that several threads may read and set.
final class WeakReference: @unchecked Sendable {
  private let lock = NSLock()
  private weak var object: AnyObject?

  init(_ object: AnyObject? = nil) { self.object = object }

  var value: AnyObject? {
    get { lock.withLock { object } }
    set { lock.withLock { object = newValue } }
  }
}
