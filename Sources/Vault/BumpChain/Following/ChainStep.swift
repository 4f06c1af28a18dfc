public import BumpWallet

/// A step of the chain: what is above the parent is taken back, and the blocks take its place.
public struct ChainStep: Hashable, Sendable {
  /// A block, and what the vault's contract did in it.
  public struct Block: Hashable, Sendable {
    /// The block's header.
    public let header: BlockHeader
    /// The events in their order.
    public let events: [PlacedEvent]

    /// Makes a block of its values.
    public init(header: BlockHeader, events: [PlacedEvent]) {
      (self.header, self.events) = (header, events)
    }
  }

  /// The block that stays.
  public let parent: BlockHeader
  /// The number of blocks that are taken back; 0 unless there was a reorganization.
  public let takesBack: Int
  /// The new blocks, the oldest first.
  public let blocks: [Block]
  /// The number of the oldest block whose header is kept.
  public var keepsFrom: UInt64

  /// Makes a step of its values. Checks nothing.
  public init(parent: BlockHeader, takesBack: Int, blocks: [Block], keepsFrom: UInt64 = 0) {
    (self.parent, self.takesBack, self.blocks, self.keepsFrom) = (parent, takesBack, blocks, keepsFrom)
  }
}

/// An event of the vault's contract, and the transaction that caused it.
public struct PlacedEvent: Hashable, Sendable {
  /// The event.
  public let event: VaultEvent
  /// The hash of the transaction.
  public let transaction: Bytes32

  /// Makes an event of its values.
  public init(_ event: VaultEvent, transaction: Bytes32) {
    (self.event, self.transaction) = (event, transaction)
  }
}
