import BumpChain
import Synchronization

/// A question that a pool asks a node. The pool sees bytes alone: what is asked for is known where the answer is used.
protocol NodeAsking: Sendable {
  /// Returns the message with a number that no other one has.
  func message(id: Int64) -> [UInt8]
  /// Reads the answer's body.
  ///
  /// - Throws: `NodeError`.
  func take(_ body: [UInt8], id: Int64) throws
}

/// A call of a node, and its result once an answer was read.
final class NodeQuestion<Value: Sendable>: NodeAsking {
  private let call: NodeCall<Value>
  private let result = Mutex<Value?>(nil)

  init(_ call: NodeCall<Value>) {
    self.call = call
  }

  func message(id: Int64) -> [UInt8] { call.message(id: id) }

  func take(_ body: [UInt8], id: Int64) throws {
    let value = try call.result(body, id: id)
    result.withLock { $0 = value }
  }

  /// The result. Only once the pool has asked without an error.
  var answer: Value {
    guard let value = result.withLock({ $0 }) else { preconditionFailure("the question was not answered") }
    return value
  }
}
