import BumpChain
public import BumpWallet

/// What is asked of a block, at one node.
extension NodePool {
  /// Returns the header of a block; `nil` if the node has none.
  func header(_ block: BlockTag, at place: Place) async throws -> BlockHeader? {
    let question = NodeQuestion(NodeCall.header(block))
    try await ask(question, at: place)
    return question.answer
  }

  /// Returns the header of the block with a hash; `nil` if the node does not have it, or has forgotten it.
  func header(hash: Bytes32, at place: Place) async throws -> BlockHeader? {
    let question = NodeQuestion(NodeCall.header(hash: hash))
    try await ask(question, at: place)
    return question.answer
  }

  /// Returns the logs of a contract, or of all, in the block with a hash.
  func logs(of contract: Address?, inBlock hash: Bytes32, at place: Place) async throws -> [ChainLog] {
    let question = NodeQuestion(NodeCall.logs(of: contract, inBlock: hash))
    try await ask(question, at: place)
    return question.answer
  }

  /// Returns whether another node has logs of a contract in the block with a hash; `nil` if no other one answers.
  func hasLogs(of contract: Address, inBlock hash: Bytes32, besides place: Place) async -> Bool? {
    for other in others(than: place) {
      if let logs = try? await logs(of: contract, inBlock: hash, at: other) { return !logs.isEmpty }
    }
    return nil
  }

  /// Runs a call without a transaction on the state behind the block with a hash, and returns its result.
  func call(_ data: [UInt8], to contract: Address, inBlock hash: Bytes32, at place: Place) async throws -> [UInt8] {
    let question = NodeQuestion(NodeCall.call(data, to: contract, inBlock: hash))
    try await ask(question, at: place)
    return question.answer
  }

  /// Returns the receipt of a transaction; `nil` if no block of the node's chain has it.
  func receipt(of transaction: Bytes32, at place: Place) async throws -> TransactionReceipt? {
    let question = NodeQuestion(NodeCall.receipt(of: transaction))
    try await ask(question, at: place)
    return question.answer
  }

  /// Returns how many transactions an account has made up to a block.
  func transactionCount(of account: Address, upTo block: BlockTag, at place: Place) async throws -> UInt64 {
    let question = NodeQuestion(NodeCall.transactionCount(of: account, at: block))
    try await ask(question, at: place)
    return question.answer
  }
}

/// What any node may be asked.
extension NodePool {
  /// Returns the header of a block.
  func header(_ block: BlockTag) async throws -> BlockHeader? {
    let question = NodeQuestion(NodeCall.header(block))
    try await ask(question)
    return question.answer
  }

  /// Runs a call without a transaction, and returns its result.
  ///
  /// - Throws: `NodeError` whose refusal is `reverted` if the contract refuses the call; `ChainError.unreachable`.
  func call(_ data: [UInt8], to contract: Address, from sender: Address? = nil) async throws -> [UInt8] {
    let question = NodeQuestion(NodeCall.call(data, to: contract, from: sender))
    try await ask(question)
    return question.answer
  }

  /// Returns how much gas a transaction takes.
  func gas(of data: [UInt8], to contract: Address?, from sender: Address) async throws -> UInt64 {
    let question = NodeQuestion(NodeCall.estimateGas(from: sender, to: contract, data: data))
    try await ask(question)
    return question.answer
  }

  /// Returns what the last blocks cost.
  func feeHistory() async throws -> FeeHistory {
    let question = NodeQuestion(NodeCall.feeHistory(blocks: 10))
    try await ask(question)
    return question.answer
  }

  /// Returns an account's balance of the chain's own coin, in wei.
  func balance(of account: Address) async throws -> UInt128 {
    let question = NodeQuestion(NodeCall.balance(of: account))
    try await ask(question)
    return question.answer
  }

  /// Returns how many transactions an account has made up to a block.
  func transactionCount(of account: Address, upTo block: BlockTag) async throws -> UInt64 {
    let question = NodeQuestion(NodeCall.transactionCount(of: account, at: block))
    try await ask(question)
    return question.answer
  }

  /// Returns the receipt of a transaction; `nil` if no block has it.
  func receipt(of transaction: Bytes32) async throws -> TransactionReceipt? {
    let question = NodeQuestion(NodeCall.receipt(of: transaction))
    try await ask(question)
    return question.answer
  }

  /// Returns the code of a contract; empty if there is none.
  public func code(of contract: Address) async throws -> [UInt8] {
    let question = NodeQuestion(NodeCall.code(of: contract))
    try await ask(question)
    return question.answer
  }

  /// Returns the Keccak-256 of a contract's code; `nil` if there is no contract.
  public func codeHash(of contract: Address) async throws -> Bytes32? {
    let code = try await code(of: contract)
    return code.isEmpty ? nil : Keccak256.hash(code)
  }
}
