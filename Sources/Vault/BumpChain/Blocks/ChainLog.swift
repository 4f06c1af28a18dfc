public import BumpWallet

/// A log of a contract, at its place in the chain.
public struct ChainLog: Hashable, Sendable {
  /// The contract that wrote it.
  public let address: Address
  /// The first is the event's; the others are its indexed members.
  public let topics: [Bytes32]
  /// The event's other members.
  public let data: [UInt8]
  /// The hash of the block.
  public let blockHash: Bytes32
  /// The hash of the transaction.
  public let transaction: Bytes32
  /// The log's number in its block.
  public let index: UInt64

  /// Makes a log of its values.
  public init(
    address: Address, topics: [Bytes32], data: [UInt8], blockHash: Bytes32, transaction: Bytes32, index: UInt64
  ) {
    (self.address, self.topics, self.data) = (address, topics, data)
    (self.blockHash, self.transaction, self.index) = (blockHash, transaction, index)
  }
}
