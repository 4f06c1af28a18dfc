public import BumpChain
public import BumpWallet

/// How a vault on a chain is doing, for its operator.
public struct ChainStatus: Hashable, Sendable {
  /// A call that is not final.
  public struct Call: Hashable, Sendable {
    /// The nonce of the relayer's key.
    public let nonce: UInt64
    /// What the call does.
    public let kind: SponsoredKind
    /// How many transactions were signed for it; each pays more than the one before.
    public let attempts: Int
    /// The latest transaction, and its fees.
    public let transaction: Bytes32
    public let fees: Fees
    /// The number of the block that has one of the transactions; `nil` if none is known.
    public let block: UInt64?
  }

  /// The chain's id, the vault's contract, and the relayer that pays for transactions.
  public let chainID: UInt64
  public let contract: Address
  public let relayer: Address
  /// The index's latest block, and the latest final one; `nil` before the index has begun.
  public let tip: BlockHeader?
  public let finalized: UInt64?
  /// The number of the chain's latest block; `nil` if no node says.
  public let head: UInt64?
  /// The relayer's balance in wei; `nil` if no node says. Below the floor no new call is paid for.
  public let balance: UInt128?
  public let balanceFloor: UInt128
  /// The fees of a new call; `nil` if they are above the cap, or no node says.
  public let fees: Fees?
  /// The calls that are not final, in the order of their nonces.
  public let calls: [Call]
  /// How many requests wait for a relayer, up to 100.
  public let waiting: Int
  /// For how many seconds more a server has the lease of the relayer's key, unless it prolongs it; `nil` if none has it:
  /// then nothing is followed or sent.
  public let leaseSeconds: Int64?
  /// How the nodes are seen.
  public let nodes: [NodeState]

  /// How many blocks the index is behind the chain; `nil` if that is not known.
  public var lag: UInt64? {
    guard let head, let tip else { return nil }
    return head > tip.number ? head - tip.number : 0
  }

  /// Whether the balance allows new calls.
  public var isFunded: Bool { balance.map { $0 >= balanceFloor } ?? false }

  /// Reads the status from store and nodes. Takes no lease, and sends nothing.
  ///
  /// - Throws: `ChainStoreError`. What no node says is missing.
  public static func read(
    _ configuration: ChainConfiguration, relayer: Address, nodes: NodePool, store: any ChainStore
  ) async throws -> ChainStatus {
    let height = try await store.height()
    let entries = try await store.entries(of: relayer)
    let lease = try await store.leaseSeconds(of: relayer)
    let waiting = try await store.waiting(limit: 100).count
    let header = try? await nodes.header(.latest)
    let balance = try? await nodes.balance(of: relayer)
    let history = try? await nodes.feeHistory()
    return ChainStatus(
      chainID: configuration.chainID, contract: configuration.contract, relayer: relayer, tip: height?.tip,
      finalized: height?.finalized, head: header?.number, balance: balance, balanceFloor: configuration.balanceFloor,
      fees: history.flatMap(configuration.fees.fees), calls: entries.map(Call.init), waiting: waiting,
      leaseSeconds: lease, nodes: await nodes.states)
  }
}

extension ChainStatus.Call {
  fileprivate init(_ entry: OutboxEntry) {
    self.init(
      nonce: entry.nonce, kind: entry.call.kind, attempts: entry.attempts.count,
      transaction: entry.latest.transaction.hash, fees: entry.latest.fees, block: entry.receipt?.blockNumber)
  }
}
