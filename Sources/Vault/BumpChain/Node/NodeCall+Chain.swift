import BumpText
import BumpVaultAPI
public import BumpWallet

/// A block to ask a node for, or the state behind it.
public enum BlockTag: Hashable, Sendable {
  /// The newest block of the node's chain.
  case latest
  /// The newest block that no reorganization can take back.
  case finalized
  /// The latest block, and what the node wants to put into the next one.
  case pending
  /// The block of a number, in the node's chain.
  case number(UInt64)

  var json: JSONValue {
    switch self {
    case .latest: "latest"
    case .finalized: "finalized"
    case .pending: "pending"
    case .number(let number): .string(Quantity.text(number))
    }
  }
}

extension NodeCall<UInt64> {
  /// Asks for the id of the node's chain.
  public static var chainID: Self { Self("eth_chainId", [], NodeValue.quantity) }

  /// Asks for the number of the latest block.
  public static var blockNumber: Self { Self("eth_blockNumber", [], NodeValue.quantity) }

  /// Asks how many transactions an account has made: the nonce of its next one.
  public static func transactionCount(of account: Address, at block: BlockTag) -> Self {
    Self("eth_getTransactionCount", [.string(account.description), block.json], NodeValue.quantity)
  }

  /// Asks how much gas a transaction takes.
  public static func estimateGas(from sender: Address, to contract: Address?, data: [UInt8]) -> Self {
    let transaction: JSONValue = [
      "from": .string(sender.description), "to": .text(contract), "data": .string(Hex.prefixed(data)),
    ]
    return Self("eth_estimateGas", [transaction], NodeValue.quantity)
  }
}

extension NodeCall<UInt128> {
  /// Asks for an account's balance of the chain's own coin, in wei.
  public static func balance(of account: Address, at block: BlockTag = .latest) -> Self {
    Self("eth_getBalance", [.string(account.description), block.json], NodeValue.quantity)
  }
}

extension NodeCall<[UInt8]> {
  /// Asks for the code of a contract; empty if there is none.
  public static func code(of contract: Address, at block: BlockTag = .latest) -> Self {
    Self("eth_getCode", [.string(contract.description), block.json], NodeValue.data)
  }

  /// Runs a call without a transaction, and asks for what it returns.
  ///
  /// - Parameter sender: the address that the contract sees as the caller; `nil` where it is of no importance.
  public static func call(
    _ data: [UInt8], to contract: Address, from sender: Address? = nil, at block: BlockTag = .latest
  ) -> Self {
    let transaction: JSONValue = [
      "from": .text(sender), "to": .string(contract.description), "data": .string(Hex.prefixed(data)),
    ]
    return Self("eth_call", [transaction, block.json], NodeValue.data)
  }

  /// Runs a call without a transaction on the state behind the block with a hash (EIP-1898), and asks for what it returns.
  public static func call(_ data: [UInt8], to contract: Address, inBlock hash: Bytes32) -> Self {
    let transaction: JSONValue = ["to": .string(contract.description), "data": .string(Hex.prefixed(data))]
    return Self("eth_call", [transaction, ["blockHash": .string(hash.description)]], NodeValue.data)
  }
}

extension NodeCall<BlockHeader?> {
  /// Asks for the header of a block; `nil` if the node has none.
  public static func header(_ block: BlockTag) -> Self {
    Self("eth_getBlockByNumber", [block.json, false]) { (value) throws(NodeError) in
      let header = try NodeValue.optional(value, BlockHeader.init)
      if let header, case .number(let number) = block, header.number != number {
        throw NodeError(.contradiction, "the node's block has another number than was asked for")
      }
      return header
    }
  }

  /// Asks for the header of the block with a hash; `nil` if the node does not have it, or has forgotten it.
  public static func header(hash: Bytes32) -> Self {
    Self("eth_getBlockByHash", [.string(hash.description), false]) { (value) throws(NodeError) in
      let header = try NodeValue.optional(value, BlockHeader.init)
      guard header == nil || header?.hash == hash else {
        throw NodeError(.contradiction, "the node's block has another hash than was asked for")
      }
      return header
    }
  }
}

extension NodeCall<[ChainLog]> {
  /// Asks for the logs in the block with a hash, in their order.
  ///
  /// - Parameter contract: the contract whose logs are asked for; `nil` for those of all contracts.
  public static func logs(of contract: Address?, inBlock hash: Bytes32) -> Self {
    let filter: JSONValue = ["blockHash": .string(hash.description), "address": .text(contract)]
    return Self("eth_getLogs", [filter]) { (value) throws(NodeError) in
      let logs = try NodeValue.list(value, ChainLog.init)
      guard logs.allSatisfy({ $0.blockHash == hash && $0.address == contract ?? $0.address }) else {
        throw NodeError(.contradiction, "the node's logs are of another block or contract than was asked for")
      }
      guard zip(logs, logs.dropFirst()).allSatisfy({ $0.index < $1.index }) else {
        throw NodeError(.contradiction, "the node's logs are not in their order")
      }
      return logs
    }
  }
}

extension NodeCall<FeeHistory> {
  /// Asks what the last blocks cost.
  ///
  /// - Parameter blocks: how many blocks, at most 1024.
  public static func feeHistory(blocks: UInt64) -> Self {
    Self("eth_feeHistory", [.string(Quantity.text(blocks)), "latest", [50]]) { (value) throws(NodeError) in
      let fields = try NodeFields(value, "the history of fees")
      let fees: [UInt64] = try fields.required("baseFeePerGas") { (list) throws(NodeError) in
        try NodeValue.list(list, NodeValue.quantity)
      }
      // A node without any block answers with no list of rewards.
      let rewards: [[UInt64]] =
        try fields.optional("reward") { (list) throws(NodeError) in
          try NodeValue.list(list) { (row) throws(NodeError) in try NodeValue.list(row, NodeValue.quantity) }
        } ?? []
      guard let next = fees.last, fees.count <= blocks + 1, rewards.count <= blocks else {
        throw NodeError(.badResult, "the history of fees has other blocks than were asked for")
      }
      return FeeHistory(nextBaseFee: next, rewards: rewards.compactMap(\.first))
    }
  }
}

extension NodeCall<Bytes32> {
  /// Sends a transaction. The answer is its hash.
  public static func send(_ transaction: SignedTransaction) -> Self {
    Self("eth_sendRawTransaction", [.string(Hex.prefixed(transaction.bytes))]) { (value) throws(NodeError) in
      let hash = try NodeValue.hash(value)
      guard hash == transaction.hash else {
        throw NodeError(.contradiction, "the node names another transaction than was sent")
      }
      return hash
    }
  }
}

extension NodeCall<TransactionReceipt?> {
  /// Asks what became of a transaction; `nil` if no block of the node's chain contains it.
  public static func receipt(of transaction: Bytes32) -> Self {
    Self("eth_getTransactionReceipt", [.string(transaction.description)]) { (value) throws(NodeError) in
      let receipt = try NodeValue.optional(value, TransactionReceipt.init)
      guard receipt == nil || receipt?.transaction == transaction else {
        throw NodeError(.contradiction, "the node's receipt is of another transaction than was asked for")
      }
      return receipt
    }
  }
}

extension NodeCall<Bool> {
  /// Asks whether the node has a transaction, in a block or waiting for one.
  public static func has(_ transaction: Bytes32) -> Self {
    Self("eth_getTransactionByHash", [.string(transaction.description)]) { (value) throws(NodeError) in
      guard value != .null else { return false }
      guard try NodeFields(value, "the transaction").required("hash", NodeValue.hash) == transaction else {
        throw NodeError(.contradiction, "the node's transaction is another than was asked for")
      }
      return true
    }
  }
}
