public import BumpWallet

/// The part of a block's header that following a chain takes. The hash is the node's word: it is not computed here, since
/// each chain has fields of its own.
public struct BlockHeader: Hashable, Sendable {
  /// The number of blocks before this one.
  public let number: UInt64
  /// The block's hash.
  public let hash: Bytes32
  /// The hash of the block before it.
  public let parent: Bytes32
  /// When the block was made, in seconds since 1970.
  public let time: UInt64
  /// The filter of the block's logs.
  public let bloom: Bloom

  /// Makes a header of its values.
  public init(number: UInt64, hash: Bytes32, parent: Bytes32, time: UInt64, bloom: Bloom) {
    (self.number, self.hash, self.parent, self.time, self.bloom) = (number, hash, parent, time, bloom)
  }
}
