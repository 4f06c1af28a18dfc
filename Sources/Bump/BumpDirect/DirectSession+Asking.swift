import BumpChain
import BumpNode
import BumpText
import BumpWallet

extension DirectSession {
  /// What a node answers.
  enum Answer<Value> {
    case value(Value)
    case refused(NodeRefusal)
    /// No answer, or one that cannot be used, for this reason.
    case useless(String)
  }

  mutating func ask<Value>(_ call: NodeCall<Value>, _ phase: Phase) -> Step {
    lastID += 1
    self.phase = phase
    return .ask(call.message(id: lastID))
  }

  /// Reads the reply to the last question, which was this call.
  func answer<Value>(_ call: NodeCall<Value>, _ reply: NodeReply) -> Answer<Value> {
    switch reply {
    case .unsent(let why), .lost(let why): return .useless("it does not answer: \(VisibleText.of(why))")
    case .answer(let status, _, let body):
      do {
        return .value(try call.result(body, id: lastID))
      } catch {
        if let refusal = error.refusal { return .refused(refusal) }
        return .useless(status == 200 ? error.reason : "it answers with the status \(status)")
      }
    }
  }

  /// Returns what the node answers.
  ///
  /// - Throws: `DirectFailure.node` without an answer that can be used.
  func value<Value>(_ call: NodeCall<Value>, _ reply: NodeReply) throws(DirectFailure) -> Value {
    switch answer(call, reply) {
    case .value(let value): return value
    case .refused(let refusal): throw useless("it refuses: \(refusal.message)")
    case .useless(let reason): throw useless(reason)
    }
  }

  func useless(_ reason: String) -> DirectFailure {
    DirectFailure(
      .node, "nothing was sent, since the node \(node) cannot be used: \(reason)",
      remedy: "Try again later, or name another node")
  }

  /// Returns the failure for a transaction that may be carried out, for all that is known.
  ///
  /// - Parameter isWaiting: whether a fee that is too low may be the reason.
  func perhapsSent(_ reason: String, isWaiting: Bool = false) -> DirectFailure {
    let again = "Nothing is paid twice. Run the same command again: it looks for the transaction first"
    return DirectFailure(
      .perhapsSent, "the transaction\(known.last.map { " \($0)" } ?? "") may be carried out: \(reason)",
      remedy: isWaiting
        ? "\(again). If that waits long, a wallet that has the same key can replace it (same nonce, higher fee)"
        : again,
      transaction: known.last)
  }

  /// Returns whether a failure leaves it open what became of an earlier transaction: one that kept another from being
  /// sent does.
  func isInDoubt(_ failure: DirectFailure) -> Bool {
    guard let last = known.last, reverted?.transaction != last else { return false }
    // A node that has not seen its block calls a claim claimed, or not locked, and shows no receipt.
    return [
      .node, .mismatch, .refused, .tooDear, .waiting, .poor, .interrupted, .notSent, .claimed, .notLocked,
    ].contains(failure.code)
  }

  func inDoubt(_ failure: DirectFailure) -> DirectFailure {
    DirectFailure(
      .perhapsSent,
      "\(failure.reason). An earlier transaction may have been carried out: \(known.map(\.description).last ?? "")",
      remedy: failure.remedy, transaction: known.last)
  }
}
