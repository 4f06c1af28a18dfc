import Synchronization

/// What the last try of a transaction has written.
final class LastWritten<Value: Sendable>: Sendable {
  private let written = Mutex<Written<Value>?>(nil)

  var value: Written<Value>? { written.withLock(\.self) }
  func set(_ value: Written<Value>?) { written.withLock { $0 = value } }
}
