import BumpChain
import BumpNode
import BumpText
import BumpWallet

extension DirectSession {
  /// What a node answers.
  enum Answer<Value> {
    case value(Value)
    case refused(NodeRefusal)
    /// No answer, or one that is of no use, for this reason.
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
  /// - Throws: `DirectFailure.node` without an answer that is of use.
  func value<Value>(_ call: NodeCall<Value>, _ reply: NodeReply) throws(DirectFailure) -> Value {
    switch answer(call, reply) {
    case .value(let value): return value
    case .refused(let refusal): throw useless("it refuses: \(refusal.message)")
    case .useless(let reason): throw useless(reason)
    }
  }

  func useless(_ reason: String) -> DirectFailure {
    DirectFailure(
      .node, "nothing was sent, since the node \(node) is of no use: \(reason)",
      remedy: "Try again later, or name another node")
  }

  /// Returns the failure for a transaction that may be carried, for all that is known.
  func perhapsSent(_ reason: String) -> DirectFailure {
    let hash = known.last
    return DirectFailure(
      .perhapsSent, "the \(hash.map { "transaction \($0)" } ?? "earlier transaction") may have been carried: \(reason)",
      remedy: "Nothing is paid twice. Run the same command again, which looks for it first", transaction: hash)
  }

  /// Returns whether a failure leaves it open what became of a transaction of before: one that kept another from being
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
      "\(failure.reason). An earlier transaction may have been carried: \(known.map(\.description).last ?? "")",
      remedy: failure.remedy, transaction: known.last)
  }

  // MARK: - What is pinned

  /// Compares the node's chain with what is pinned, thing by thing.
  mutating func compared(_ reply: NodeReply) throws(DirectFailure) -> Step {
    let code = NodeCall.code(of: call.contract)
    switch phase {
    case .chain:
      try compare("the chain", call.chainID, try value(.chainID, reply))
      return ask(code, .code)
    case .code:
      guard let pinned = call.pinned.vault.codeHash else {
        throw DirectFailure(.mismatch, "nothing was sent: the vault is not a contract on a chain")
      }
      try compare("the code of the contract \(call.contract)", pinned, Keccak256.hash(try value(code, reply)))
      return ask(.code(of: call.terms.token), .tokenCode)
    case .tokenCode:
      let found = Keccak256.hash(try value(code, reply))
      try compare("the code of the token \(call.terms.token)", token?.codeHash ?? found, found)
      return ask(.call(TokenCall.domainSeparator.data, to: call.terms.token), .domain)
    default:
      let data = try value(.call([], to: call.terms.token), reply)
      let found: Bytes32
      do { found = try TokenCall.separator(data) } catch { throw useless(error.reason) }
      try compare("the domain of the token \(call.terms.token)", domain?.separator ?? .word(0 as UInt64), found)
      return askForReceipts()
    }
  }

  private var token: TokenContract? { call.pinned.vault.tokens.first { $0.address == call.terms.token } }

  private var domain: Domain? {
    token.map {
      Domain(name: $0.domainName, version: $0.domainVersion, chainID: call.chainID, verifyingContract: $0.address)
    }
  }

  private func compare<Value: Equatable & CustomStringConvertible>(
    _ what: String, _ pinned: Value, _ found: Value
  ) throws(DirectFailure) {
    guard pinned == found else { throw mismatch(what, "\(pinned)", "\(found)") }
  }

  private func mismatch(_ what: String, _ pinned: String, _ found: String) -> DirectFailure {
    DirectFailure(
      .mismatch, "nothing was sent: \(what) is pinned as \(pinned), and the node \(node) has \(found)",
      remedy: "Name a node of the chain \(call.chainID)")
  }
}
