package import BumpNode
package import BumpWallet

/// Runs a session with a node.
package struct DirectRun: Sendable {
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
  ///   - record: records the transaction durably.
  /// - Throws: `DirectFailure`; what `agree` and `record` throw: then nothing was sent.
  package func carry(
    _ session: DirectSession, agree: @Sendable (DirectOffer) async throws -> Void,
    record: @Sendable (Bytes32) async throws -> Void
  ) async throws -> DirectPayment {
    var session = session
    var step = session.handle(.begin)
    while true {
      switch step {
      case .finish(let result): return try result.get()
      case .ask(let message):
        let reply = await node.send(message)
        step = session.handle(.reply(reply))
      case .offer(let offer):
        try await agree(offer)
        step = session.handle(.agreed)
      case .record(let transaction):
        try await record(transaction)
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
