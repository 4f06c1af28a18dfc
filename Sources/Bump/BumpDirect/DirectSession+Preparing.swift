import BumpChain
import BumpNode
import BumpText
import BumpWallet

/// What comes before the transaction is offered.
extension DirectSession {
  /// The most gas that such a call may take by a node's word. ClaimVault's take less than a hundredth of it.
  static let mostGas: UInt64 = 10_000_000

  /// Decides by what the contract has of the claim, before anything is sent.
  mutating func decided(_ result: [UInt8]) throws(DirectFailure) -> Step {
    let claim = try read(result)
    switch claim.status {
    case .none:
      throw DirectFailure(
        .notLocked, "the contract \(call.contract) holds nothing for this claim, says the node \(node)")
    case .claimed, .refunded: return .finish(.success(try payment(claim.status, isNew: false)))
    case .pending: return ask(simulation, .simulation)
    }
  }

  /// Reads a claim as the contract returns it.
  func read(_ result: [UInt8]) throws(DirectFailure) -> ChainClaim {
    let claim: ChainClaim
    do { claim = try ChainClaim(result) } catch { throw useless(error.reason) }
    // The id is the hash of the terms, so the contract has no others under it.
    guard claim.status == .none || claim.has(call.terms) else {
      throw useless("it has other terms under the claim's id")
    }
    return claim
  }

  private var simulation: NodeCall<[UInt8]> { .call(call.data, to: call.contract, from: key.address) }

  /// Goes on if the contract takes the call. A call that reverts would cost its gas.
  mutating func simulated(_ reply: NodeReply) throws(DirectFailure) -> Step {
    guard case .refused(let refusal) = answer(simulation, reply), refusal.kind == .reverted else {
      _ = try value(simulation, reply)
      return phase == .lastSimulation
        ? ask(.transactionCount(of: key.address, at: .pending), .lastNonce) : ask(gas, .gas)
    }
    let reason = RevertReason.text(of: refusal)
    switch reason {
    case "expired":
      throw DirectFailure(.expired, "the claim has expired by the chain's clock, and nothing was sent")
    case "not expired":
      throw DirectFailure(
        .notExpired, "the claim has not expired by the chain's clock, and nothing was sent", remedy: "Try again later")
    default:
      let words = QuotedName.of(reason ?? refusal.message, columns: 200)
      throw DirectFailure(.refused, "the contract refuses the call, and nothing was sent: \(words)")
    }
  }

  private var gas: NodeCall<UInt64> { .estimateGas(from: key.address, to: call.contract, data: call.data) }

  /// Finds out what the transaction costs, and offers it.
  mutating func priced(_ reply: NodeReply) throws(DirectFailure) -> Step {
    switch phase {
    case .gas:
      let estimate = try value(gas, reply)
      guard estimate <= Self.mostGas else {
        throw DirectFailure(.tooDear, "nothing was sent: the node \(node) says that the call takes \(estimate) gas")
      }
      gasLimit = estimate + estimate / 5
      return ask(.feeHistory(blocks: 10), .fees)
    case .fees:
      guard let fees = policy.fees(after: try value(.feeHistory(blocks: 10), reply)) else {
        throw DirectFailure(
          .tooDear, "nothing was sent: one unit of gas costs more than \(CoinAmount.text(UInt128(policy.cap))) now",
          remedy: "Wait, or raise --fee-cap")
      }
      self.fees = fees
      return ask(.transactionCount(of: key.address, at: .latest), .nonce)
    case .nonce:
      count = try value(.transactionCount(of: key.address, at: .latest), reply)
      return ask(.transactionCount(of: key.address, at: .pending), .pendingNonce)
    case .pendingNonce:
      guard try value(.transactionCount(of: key.address, at: .pending), reply) == count else { return try othersWait() }
      return ask(.balance(of: key.address), .balance)
    default: return try offered(balance: try value(.balance(of: key.address), reply))
    }
  }

  /// Another transaction of this wallet waits. Where one of them may be this call's, it is waited for.
  private mutating func othersWait() throws(DirectFailure) -> Step {
    guard known.isEmpty else {
      mayBeSent = true
      phase = .waiting
      return .pause
    }
    throw DirectFailure(
      .waiting, "nothing was sent: another transaction of \(key.address) waits for a block, says the node \(node)",
      remedy: "Wait for it, or replace it in the wallet that made it")
  }

  private mutating func offered(balance: UInt128) throws(DirectFailure) -> Step {
    let cost = UInt128(gasLimit) * UInt128(fees.maximum)
    guard balance >= cost else {
      throw DirectFailure(
        .poor,
        "nothing was sent: the transaction may cost \(CoinAmount.text(cost)), and \(key.address) has \(CoinAmount.text(balance))",
        remedy: "Send that address some of the coin of the chain \(call.chainID)")
    }
    let signed = ChainTransaction(
      chainID: call.chainID, nonce: count, fees: fees, gasLimit: gasLimit, to: call.contract, data: call.data
    ).signed(by: key)
    transaction = signed
    phase = .agreement
    return .offer(DirectOffer(transaction: signed, payer: key.address, cost: cost, balance: balance))
  }

  /// Simulates the call once more when the owner has agreed, who may have taken their time: meanwhile the claim may have
  /// been claimed, and the transaction's number used.
  mutating func agreed() -> Step { ask(simulation, .lastSimulation) }

  mutating func countedAgain(_ reply: NodeReply) throws(DirectFailure) -> Step {
    guard let transaction else { preconditionFailure("nothing was offered") }
    guard try value(.transactionCount(of: key.address, at: .pending), reply) == count else {
      throw DirectFailure(
        .waiting, "nothing was sent: \(key.address) has made another transaction meanwhile, says the node \(node)",
        remedy: "Run the same command again")
    }
    phase = .recording
    return .record(transaction.hash)
  }
}
