import BumpVaultAPI
import BumpWallet

extension BlockHeader {
  /// Reads a block. One that has no number or hash is not in the chain yet.
  init(_ value: JSONValue) throws(NodeError) {
    let fields = try NodeFields(value, "the block")
    guard let bloom = Bloom(try fields.required("logsBloom", NodeValue.data)) else {
      throw NodeError(.badResult, "the block's filter is not 256 bytes")
    }
    self.init(
      number: try fields.required("number", NodeValue.quantity), hash: try fields.required("hash", NodeValue.hash),
      parent: try fields.required("parentHash", NodeValue.hash),
      time: try fields.required("timestamp", NodeValue.quantity), bloom: bloom)
  }
}

extension ChainLog {
  /// Reads a log. One that a reorganization took back is none.
  init(_ value: JSONValue) throws(NodeError) {
    let fields = try NodeFields(value, "the log")
    let topics = try fields.required("topics") { (list) throws(NodeError) in try NodeValue.list(list, NodeValue.hash) }
    guard topics.count <= 4 else { throw NodeError(.badResult, "the log has more than four topics") }
    guard [nil, .bool(false)].contains(fields["removed"]) else {
      throw NodeError(.contradiction, "the node's log was taken back")
    }
    self.init(
      address: try fields.required("address", NodeValue.address), topics: topics,
      data: try fields.required("data", NodeValue.data), blockHash: try fields.required("blockHash", NodeValue.hash),
      transaction: try fields.required("transactionHash", NodeValue.hash),
      index: try fields.required("logIndex", NodeValue.quantity))
  }
}

extension TransactionReceipt {
  /// Reads a receipt. On chains that are rollups of the OP Stack, such as Base, it has the fee for the data, too.
  init(_ value: JSONValue) throws(NodeError) {
    let fields = try NodeFields(value, "the receipt")
    let status: UInt64 = try fields.required("status", NodeValue.quantity)
    guard status <= 1 else { throw NodeError(.badResult, "the receipt's status is neither 0 nor 1") }
    self.init(
      transaction: try fields.required("transactionHash", NodeValue.hash),
      blockHash: try fields.required("blockHash", NodeValue.hash),
      blockNumber: try fields.required("blockNumber", NodeValue.quantity), isSuccessful: status == 1,
      gasUsed: try fields.required("gasUsed", NodeValue.quantity),
      gasPrice: try fields.required("effectiveGasPrice", NodeValue.quantity),
      dataFee: try fields.optional("l1Fee", NodeValue.quantity) ?? 0)
  }
}
