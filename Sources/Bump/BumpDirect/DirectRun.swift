package import BumpNode
package import BumpWallet

/// Runs a session with a node.
package struct DirectRun: Sendable {
  /// Takes the record of a transaction back.
  package typealias Withdrawal = @Sendable () async throws -> Void

  private let node: any NodeTransport
  private let pause: @Sendable () async -> Void

  /// - Parameter pause: waits for some seconds; less if the task is cancelled.
  package init(over node: any NodeTransport, pause: @escaping @Sendable () async -> Void) {
    (self.node, self.pause) = (node, pause)
  }

  /// Carries a session's call.
  ///
  /// - Parameters:
  ///   - agree: asks the owner. It throws if they do not agree.
  ///   - record: records the transaction durably, and returns what takes the record back. That is done where certainly no
  ///     byte of the transaction was sent.
  /// - Throws: `DirectFailure`; what `agree`, `record` and the withdrawal throw: then nothing was sent.
  package func carry(
    _ session: DirectSession, agree: @Sendable (DirectOffer) async throws -> Void,
    record: @Sendable (Bytes32) async throws -> Withdrawal
  ) async throws -> DirectPayment {
    var session = session
    var withdraw: Withdrawal?
    var step = session.handle(.begin)
    while true {
      switch step {
      case .finish(let result):
        if let withdraw, !session.mayBeSent { try await withdraw() }
        return try result.get()
      case .ask(let message):
        let reply = await node.send(message)
        step = session.handle(.reply(reply))
      case .offer(let offer):
        try await agree(offer)
        step = session.handle(.agreed)
      case .record(let transaction):
        withdraw = try await record(transaction)
        step = session.handle(.recorded)
      case .pause:
        await pause()
        step = session.handle(.waited)
      }
      if case .finish = step { continue }
      if Task.isCancelled { step = session.handle(.cancelled) }
    }
  }
}
