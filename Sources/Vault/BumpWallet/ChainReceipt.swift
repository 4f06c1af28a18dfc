/// The block of a chain that has a transaction in it, and whether the block can still be undone.
public struct Inclusion: Hashable, Sendable {
  /// How sure it is that a block stays in its chain.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// The block has as many blocks behind it as the vault's operator wants. A reorganization may still undo it.
    case confirmed
    /// No reorganization can undo the block.
    case finalized
  }

  /// The number of blocks before this one.
  public let blockNumber: UInt64
  /// The block's hash.
  public let blockHash: Bytes32
  /// How sure it is that the block stays.
  public let level: Level

  /// Makes an inclusion of its values.
  public init(blockNumber: UInt64, blockHash: Bytes32, level: Level) {
    (self.blockNumber, self.blockHash, self.level) = (blockNumber, blockHash, level)
  }
}

/// A vault's statement of how a claim ended on a chain: the EIP-712 message `ChainReceipt` in the domain of the vault's
/// contract, with the members of `Receipt` and after them `uint64 blockNumber,bytes32 blockHash,string level`.
///
/// `transaction` is the chain's, and `time` the block's. The type has another name than an embedded vault's receipt, so
/// that neither can be shown for the other.
public struct ChainReceipt: TypedData, Hashable, Sendable {
  /// The members that every receipt has.
  public let receipt: Receipt
  /// The block that ended the claim.
  public let inclusion: Inclusion

  /// Makes a receipt of its values. Checks nothing.
  public init(_ receipt: Receipt, in inclusion: Inclusion) {
    (self.receipt, self.inclusion) = (receipt, inclusion)
  }

  public static let typeHash = Keccak256.hash(
    """
    ChainReceipt(bytes32 claimId,bool refunded,address token,uint256 amount,address receiver,bytes32 transaction,\
    uint256 time,uint64 blockNumber,bytes32 blockHash,string level)
    """.utf8)

  public var words: [Bytes32] {
    receipt.words + [
      .word(inclusion.blockNumber), inclusion.blockHash, Keccak256.hash(inclusion.level.rawValue.utf8),
    ]
  }

  public var domain: Domain { receipt.domain }
}

extension SignedReceipt {
  /// Signs the receipt of a vault on a chain with its receipt key.
  package init(_ receipt: ChainReceipt, by key: PrivateKey) {
    self.init(receipt.receipt, in: receipt.inclusion, signature: key.sign(receipt.digest))
  }
}
