public import BumpChain
public import BumpWallet

/// The deployment of the contract by a key.
///
/// It may be begun again at any time: the contract's address follows from the key and its nonce, so what was made before
/// is found, and no nonce makes two.
public struct Deployment: Sendable {
  /// What the chain has of a key's deployment.
  public enum Standing: Sendable {
    /// The key has made the contract.
    case made(DeployedContract)
    /// A transaction of the key waits for a block. If it makes the contract, that has this address.
    case waiting(nonce: UInt64, contract: Address)
    /// This transaction makes it, once it is carried.
    case ready(Offer)
  }

  /// A transaction that makes the contract, which was not sent.
  public struct Offer: Sendable {
    /// The signed transaction.
    public let transaction: SignedTransaction
    /// The address that the contract will have.
    public let contract: Address
    /// The transaction's fees.
    public let fees: Fees
    /// The most that its gas can cost, in wei. A rollup charges for its data besides.
    public let cost: UInt128
    /// What the key has, in wei.
    public let balance: UInt128
    fileprivate let nonce: UInt64
  }

  /// How many of the key's last transactions are looked at.
  private static let recent: UInt64 = 16

  private let key: PrivateKey
  private let nodes: NodePool
  private let policy: FeePolicy

  /// - Parameter policy: what may be paid for each gas.
  public init(by key: PrivateKey, over nodes: NodePool, _ policy: FeePolicy) {
    (self.key, self.nodes, self.policy) = (key, nodes, policy)
  }

  /// Looks what the chain has of the deployment, and what is to be done next. Sends nothing.
  ///
  /// - Throws: `ChainError`: `mismatch` if the node is of another chain, `misconfigured` if a gas costs more than the cap;
  ///   `NodeError`.
  public func standing() async throws -> Standing {
    let named = try await nodes.namedChain()
    let chainID = nodes.chainID
    guard named == chainID else {
      throw ChainError(
        .mismatch, "the node is of the chain \(named), not of \(chainID)", remedy: "Check the node's URL")
    }
    let nonce = try await nodes.transactionCount(of: key.address, upTo: .latest)
    for made in (nonce - min(nonce, Self.recent)..<nonce).reversed() {
      let contract = Address.ofContract(madeBy: key.address, nonce: made)
      guard try await nodes.codeHash(of: contract) == ClaimVaultContract.codeHash else { continue }
      return .made(DeployedContract(address: contract, block: await block(of: contract)))
    }
    let contract = Address.ofContract(madeBy: key.address, nonce: nonce)
    guard try await nodes.transactionCount(of: key.address, upTo: .pending) <= nonce else {
      return .waiting(nonce: nonce, contract: contract)
    }
    guard let fees = policy.fees(after: try await nodes.feeHistory()) else {
      throw ChainError(.misconfigured, "one unit of gas costs more than the cap now", remedy: "Wait, or raise the cap")
    }
    let code = ClaimVaultContract.creationCode
    let gas = try await nodes.gas(of: code, to: nil, from: key.address)
    let limit = gas + gas / 5
    let transaction = ChainTransaction(
      chainID: chainID, nonce: nonce, fees: fees, gasLimit: limit, to: nil, data: code)
    return .ready(
      Offer(
        transaction: transaction.signed(by: key), contract: contract, fees: fees,
        cost: UInt128(limit) * UInt128(fees.maximum), balance: try await nodes.balance(of: key.address),
        nonce: nonce))
  }

  /// Sends the transaction, and returns once a block has it and the contract has its code.
  ///
  /// - Parameters:
  ///   - rounds: how many times the receipt is asked for.
  ///   - pause: waits before each time, a second or so.
  /// - Throws: `ChainError.notDeployed`.
  public func carry(
    _ offer: Offer, rounds: Int = 300, pause: @Sendable () async throws -> Void
  ) async throws -> DeployedContract {
    let hash = offer.transaction.hash
    for round in 0..<rounds {
      // The same bytes again: a node may have lost them.
      if round % 30 == 0 { try await send(offer) }
      try await pause()
      // A node that does not answer for a while may do so the next time.
      guard let receipt = try? await nodes.receipt(of: hash) else { continue }
      guard receipt.isSuccessful else {
        throw ChainError(.notDeployed, "the transaction \(hash) was reverted, and made no contract")
      }
      guard let found = try? await nodes.codeHash(of: offer.contract) else { continue }
      guard found == ClaimVaultContract.codeHash else {
        throw ChainError(.notDeployed, "the contract at \(offer.contract) has another code than was sent")
      }
      return DeployedContract(
        address: offer.contract, block: receipt.blockNumber, transaction: hash, cost: receipt.cost)
    }
    throw ChainError(
      .notDeployed, "the transaction \(hash), the key's number \(offer.nonce), is in no block yet",
      remedy: "Run this again later: if it was mined, it finds the contract at \(offer.contract)")
  }

  private func send(_ offer: Offer) async throws {
    switch await nodes.send(offer.transaction) {
    case .accepted, .unknown, .refused(.alreadyKnown), .refused(.nonceTooLow): return
    case .refused(.insufficientFunds):
      throw ChainError(
        .notDeployed, "the key \(key.address) has not enough coins for the transaction", remedy: "Send it some")
    case .refused(let kind):
      throw ChainError(.notDeployed, "the node refuses the transaction \(offer.transaction.hash): \(kind)")
    }
  }

  /// Returns the number of the block that made a contract; `nil` if the node does not keep the state of old blocks.
  private func block(of contract: Address) async -> UInt64? {
    guard let head = try? await nodes.header(.latest) else { return nil }
    var (first, last): (UInt64, UInt64) = (0, head.number)
    while first < last {
      let middle = first + (last - first) / 2
      let question = NodeQuestion(NodeCall.code(of: contract, at: .number(middle)))
      guard (try? await nodes.ask(question)) != nil else { return nil }
      if question.answer.isEmpty { first = middle + 1 } else { last = middle }
    }
    return first
  }
}

/// A contract that was deployed.
public struct DeployedContract: Hashable, Sendable {
  /// The contract's address.
  public let address: Address
  /// The number of the block that made it; `nil` if no node says so.
  public let block: UInt64?
  /// The transaction that made it; `nil` if it was made before.
  public var transaction: Bytes32?
  /// What the transaction cost, in wei, a rollup's fee for its data among it; `nil` if it was made before.
  public var cost: UInt128?
}
