public import BumpWallet

/// What became of a transaction that a block contains.
public struct TransactionReceipt: Hashable, Sendable {
  /// The transaction's hash.
  public let transaction: Bytes32
  /// The hash of the block.
  public let blockHash: Bytes32
  /// The block's number.
  public let blockNumber: UInt64
  /// Whether it took effect. A reverted one costs its gas, too.
  public let isSuccessful: Bool
  /// The gas that it used.
  public let gasUsed: UInt64
  /// The price of each gas, in wei.
  public let gasPrice: UInt64
  /// What a rollup charges for the transaction's data beside its gas, in wei; 0 on other chains.
  public let dataFee: UInt128

  /// Makes a receipt of its values.
  public init(
    transaction: Bytes32, blockHash: Bytes32, blockNumber: UInt64, isSuccessful: Bool, gasUsed: UInt64,
    gasPrice: UInt64, dataFee: UInt128 = 0
  ) {
    (self.transaction, self.blockHash, self.blockNumber) = (transaction, blockHash, blockNumber)
    (self.isSuccessful, self.gasUsed, self.gasPrice, self.dataFee) = (isSuccessful, gasUsed, gasPrice, dataFee)
  }

  /// What the transaction cost its sender, in wei.
  public var cost: UInt128 {
    // The product of two numbers of 64 bits fits 128.
    let (sum, isTooGreat) = (UInt128(gasUsed) * UInt128(gasPrice)).addingReportingOverflow(dataFee)
    return isTooGreat ? .max : sum
  }
}
