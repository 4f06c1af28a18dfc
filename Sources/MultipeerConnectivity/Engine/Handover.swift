import Foundation

/// A value that is used on one queue at a time, though the compiler cannot see that. Apple's classes and their delegates
/// are not Sendable, and are called from queues all the same.
struct Handover<Value>: @unchecked Sendable {
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
