package import BumpChain
package import BumpNode
package import BumpWallet

/// The steps by which a call gets into a chain: the node is compared with what is pinned, the call is simulated, its owner
/// agrees to its cost, it is simulated again, the transaction is recorded, then sent, and its receipt is looked for.
/// Pure: its driver sends the messages, asks the person and waits.
///
/// The node is a stranger. What it says can make a call fail or cost its gas; it cannot have anybody else paid, and
/// nothing that it says is final.
package struct DirectSession: Sendable {
  /// What happened.
  package enum Input: Sendable {
    case begin
    /// What became of the message of the last `ask`.
    case reply(NodeReply)
    /// The owner agrees to the offer; the transaction is recorded; the pause is over.
    case agreed, recorded, waited
    /// The command is interrupted, and the last step was not carried out.
    case cancelled
  }

  /// What is to be done next.
  package enum Step: Sendable {
    /// Send a message to the node.
    case ask([UInt8])
    /// Ask the owner.
    case offer(DirectOffer)
    /// Record the transaction durably. It is sent next.
    case record(Bytes32)
    /// Wait for some seconds.
    case pause
    case finish(Result<DirectPayment, DirectFailure>)
  }

  enum Phase: Hashable, Sendable {
    case chain, code, tokenCode, domain
    case standing, simulation, gas, fees, nonce, pendingNonce, balance, agreement, lastSimulation, lastNonce
    case recording, sending, waiting, outcome
    /// A receipt: of the transactions that are known, the one with this place.
    case receipt(Int)
  }

  let call: DirectCall
  let node: String
  let policy: FeePolicy
  let key: PrivateKey
  var phase = Phase.chain
  var lastID: Int64 = 0
  /// The transactions that may carry the call: the earlier ones, unless the first look shows that they have reverted, and
  /// at last the one that is sent now.
  var known: [Bytes32]
  /// The receipt of one of them that took effect, and of the last one that reverted.
  var landed: TransactionReceipt?
  var reverted: TransactionReceipt?
  /// Whether a byte of a transaction may have left, so that no failure is certain.
  var mayBeSent = false
  /// How often the receipts may be asked for yet.
  var rounds: Int
  var (gasLimit, fees, count): (UInt64, Fees, UInt64) = (0, Fees(maximum: 0, priority: 0), 0)
  var transaction: SignedTransaction?

  /// - Parameters:
  ///   - key: the wallet that pays for the transaction.
  ///   - known: the transactions that were recorded for this claim before, the latest last.
  ///   - policy: what may be paid for each gas.
  ///   - node: the node's host, for messages.
  ///   - rounds: how often the receipt is asked for.
  package init(
    _ call: DirectCall, by key: PrivateKey, known: [Bytes32] = [], _ policy: FeePolicy, node: String, rounds: Int = 45
  ) {
    (self.call, self.key, self.known, self.policy) = (call, key, known, policy)
    (self.node, self.rounds) = (node, rounds)
  }

  /// Takes what happened, and returns what is to be done.
  package mutating func handle(_ input: Input) -> Step {
    do throws(DirectFailure) {
      switch input {
      case .begin:
        _ = try pins()
        return ask(NodeCall.chainID, .chain)
      case .reply(let reply): return try took(reply)
      case .agreed: return agreed()
      case .recorded: return send()
      case .waited: return askForReceipts()
      case .cancelled:
        throw mayBeSent
          ? perhapsSent("interrupted before the chain had it")
          : DirectFailure(.interrupted, "interrupted, and nothing was sent")
      }
    } catch {
      return .finish(.failure(isInDoubt(error) ? inDoubt(error) : error))
    }
  }

  private mutating func took(_ reply: NodeReply) throws(DirectFailure) -> Step {
    switch phase {
    case .chain, .code, .tokenCode, .domain: try compared(reply)
    case .standing: try decided(try value(.call([], to: call.contract), reply))
    case .simulation, .lastSimulation: try simulated(reply)
    case .gas, .fees, .nonce, .pendingNonce, .balance: try priced(reply)
    case .lastNonce: try countedAgain(reply)
    case .sending: try sent(reply)
    case .receipt(let place): try looked(at: place, reply)
    case .outcome: try ended(reply)
    case .agreement, .recording, .waiting: preconditionFailure("nothing was asked for")
    }
  }
}
