import Synchronization

/// The result of the last attempt of a transaction.
final class LastWritten<Value: Sendable>: Sendable {
  private let written = Mutex<Written<Value>?>(nil)

  var value: Written<Value>? { written.withLock(\.self) }
  func set(_ value: Written<Value>?) { written.withLock { $0 = value } }
}
