public import BumpWallet

/// Where an index stands: what a `ChainFollower` begins with.
public struct ChainIndex: Hashable, Sendable {
  /// The latest headers of the chain that was taken, each the parent of the next, the tip last. There is at least one.
  public let headers: [BlockHeader]
  /// The number of the latest final block.
  public let finalized: UInt64

  /// Makes an index of its stored values.
  public init(headers: [BlockHeader], finalized: UInt64) {
    (self.headers, self.finalized) = (headers, finalized)
  }
}

/// How far an index has come.
public struct ChainIndexHeight: Hashable, Sendable {
  /// The latest block.
  public let tip: BlockHeader
  /// The number of the latest final block.
  public let finalized: UInt64
  /// Greater after each write of a lease's holder. As long as it is the same, no claim has moved on.
  public let revision: Int64

  /// Makes a height of its stored values.
  public init(tip: BlockHeader, finalized: UInt64, revision: Int64) {
    (self.tip, self.finalized, self.revision) = (tip, finalized, revision)
  }
}

/// What an index has above one of its blocks.
public struct IndexedBlocks: Hashable, Sendable {
  /// The block.
  public let parent: BlockHeader
  /// The blocks above it, each the parent of the next.
  public let blocks: [ChainStep.Block]
  /// The number of the latest final block.
  public let finalized: UInt64
  /// The height's revision.
  public let revision: Int64

  /// Makes a part of an index of its stored values.
  public init(parent: BlockHeader, blocks: [ChainStep.Block], finalized: UInt64, revision: Int64) {
    (self.parent, self.blocks) = (parent, blocks)
    (self.finalized, self.revision) = (finalized, revision)
  }
}

/// An event of the vault's contract, at its place in the chain.
public struct IndexedEvent: Hashable, Sendable {
  /// The event.
  public let event: VaultEvent
  /// The hash of the transaction that caused it.
  public let transaction: Bytes32
  /// The number and the hash of its block.
  public let block: UInt64
  public let blockHash: Bytes32
  /// When the block was made, in seconds since 1970.
  public let time: UInt64
  /// How many events of the vault are before it in the block.
  public let position: UInt64

  /// Makes an event of its stored values.
  public init(
    _ event: VaultEvent, transaction: Bytes32, block: UInt64, blockHash: Bytes32, time: UInt64, position: UInt64
  ) {
    (self.event, self.transaction, self.block) = (event, transaction, block)
    (self.blockHash, self.time, self.position) = (blockHash, time, position)
  }

  /// How many events of one block have numbers of their own; and below which number its block is.
  static let (positions, blocks): (UInt64, UInt64) = (1 << 20, 1 << 43)

  /// The event's number: the same chain always gives it the same, and later events have greater ones.
  public var number: Int64 { Int64(block * Self.positions + position) }
}

/// A claim as the store has it. At least one of its members is there.
public struct ChainClaimRow: Hashable, Sendable {
  /// The claim's ledger id.
  public let ledgerID: Bytes32
  /// What was told of the claim; `nil` if the amount was locked without a draft.
  public let draft: ChainDraft?
  /// The event by which the amount was locked, in whatever block it is.
  public let created: IndexedEvent?
  /// The event by which the amount was paid out, if there is one. Never there without `created`.
  public let settled: IndexedEvent?
  /// The requests that came for the claim.
  public let requests: [SponsoredKind: ChainRequestRow]

  /// Makes a claim of its stored values.
  public init(
    ledgerID: Bytes32, draft: ChainDraft? = nil, created: IndexedEvent? = nil, settled: IndexedEvent? = nil,
    requests: [SponsoredKind: ChainRequestRow] = [:]
  ) {
    (self.ledgerID, self.draft, self.created) = (ledgerID, draft, created)
    (self.settled, self.requests) = (settled, requests)
  }
}

/// A movement of an account's money: a deposit that it made, or a payment or refund that it got.
public struct ChainMovement: Hashable, Sendable {
  /// The event that moved the money.
  public let event: IndexedEvent
  /// The event by which the claim's amount was locked: `created`, which has the token and the amount. Of a deposit, it
  /// is the same.
  public let created: IndexedEvent

  /// Makes a movement of its stored values.
  public init(_ event: IndexedEvent, created: IndexedEvent) {
    (self.event, self.created) = (event, created)
  }
}
