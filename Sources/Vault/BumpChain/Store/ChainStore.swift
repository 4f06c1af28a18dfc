public import BumpClaims
public import BumpWallet

/// The contract of a vault, and the chain on which it is.
public struct DeployedVault: Hashable, Sendable {
  /// The chain's id (EIP-155).
  public let chainID: UInt64
  /// The contract's address.
  public let contract: Address

  /// Makes a pair of chain and contract.
  public init(chainID: UInt64, contract: Address) {
    (self.chainID, self.contract) = (chainID, contract)
  }
}

/// The store of a vault on a chain. It holds no money: the contract does. It keeps what would be lost otherwise, and what
/// is slow to ask a node for.
///
/// Several processes may share a store. Each call is one transaction: no other comes between, and what it wrote is durable
/// when it returns, also if its task is cancelled. Every call may be repeated: what was written before is not written
/// twice. Each throws `ChainStoreError`; a call with a lease throws `leaseLost` if another process has taken it, and then
/// has written nothing.
public protocol ChainStore: Sendable {
  /// The contract whose store this is.
  var vault: DeployedVault { get }

  // MARK: The lease

  /// Takes or prolongs the lease of a relayer's key. It is free if nobody has it, or its time has passed by the store's
  /// clock. A holder that asks again keeps the fencing number, even if the time has passed, unless another one came.
  ///
  /// - Parameters:
  ///   - holder: a number that the process has drawn at random.
  ///   - seconds: how long the lease is for, from now on; at least 1.
  func takeLease(of key: Address, holder: Bytes32, seconds: Int64) async throws -> LeaseAnswer
  /// Returns for how many seconds more somebody has the lease of a relayer's key, by the store's clock; `nil` if nobody
  /// has it.
  func leaseSeconds(of key: Address) async throws -> Int64?
  /// Gives a lease up, so that another process need not wait. Does nothing if another one has it.
  func giveUp(_ lease: ChainLease) async throws

  // MARK: The index

  /// Returns what a follower begins with; `nil` before `begin`.
  func index() async throws -> ChainIndex?
  /// Returns how far the index has come; `nil` before `begin`. Reads a few rows.
  func height() async throws -> ChainIndexHeight?
  /// Returns what the index has above the block of a number; `nil` if it does not have that block.
  func blocks(above number: UInt64) async throws -> IndexedBlocks?
  /// Begins the index behind a block, and forgets every event that it had. Drafts, requests and the outbox stay.
  ///
  /// - Parameter header: the block before the contract's first, or an earlier one. It counts as final.
  func begin(behind header: BlockHeader, _ lease: ChainLease) async throws
  /// Takes a step: takes back what is above its parent, and then takes its blocks. Drafts of deposits that are taken back
  /// lapse later. A step that was taken before is not taken again.
  ///
  /// - Throws: `badStep` if the parent is not in the index or below the latest final block, or an event cannot follow
  ///   those before it.
  func advance(_ step: ChainStep, _ lease: ChainLease) async throws
  /// Records the latest final block. It only ever moves on, and not beyond the tip.
  func finalize(upTo number: UInt64, _ lease: ChainLease) async throws

  // MARK: Claims

  /// Stores a draft. If one of the same id and terms is there, it stays as it is; one that has lapsed is replaced. A
  /// claim has one draft at a time.
  ///
  /// - Parameter time: a draft that began before has lapsed, unless its amount was locked, or a request for it is open.
  /// - Returns: the claim with its draft; `nil` if another claim has the id, or another id stands for the claim.
  func add(_ draft: ChainDraft, lapsingBefore time: Int64) async throws -> ChainClaimRow?
  /// Returns the claim that was drafted under an id. The draft may have lapsed.
  func claim(_ id: ClaimID) async throws -> ChainClaimRow?
  /// Returns the claim of a ledger id.
  func claim(ledgerID: Bytes32) async throws -> ChainClaimRow?
  /// Returns an account's movements, the latest first, in whatever blocks they are.
  ///
  /// - Parameters:
  ///   - number: only movements whose event has a smaller number are returned; `nil` for the latest.
  ///   - limit: the greatest number of movements to return.
  func history(of account: Address, before number: Int64?, limit: Int) async throws -> [ChainMovement]

  // MARK: Requests

  /// Stores a request, and reserves its cost, unless the claim has one of that kind.
  ///
  /// - Parameters:
  ///   - now: the time in seconds since 1970.
  ///   - row: the request that the new one replaces: dropped, or reverted, and its entry finished. If the claim's request
  ///     is another one by now, that one stands.
  ///   - sponsorship: the cost, reserved under the call's id; `nil` if it is not counted.
  func ask(
    _ request: ChainRequest, at now: Int64, replacing row: ChainRequestRow?, _ sponsorship: Sponsorship?
  ) async throws -> AskAnswer
  /// Returns requests that wait for a relayer, those that were made first before others.
  func waiting(limit: Int) async throws -> [ChainRequestRow]
  /// Drops a request that waits, and releases what was reserved for it. Does nothing if it does not wait any more.
  func drop(_ request: ChainRequest, _ lease: ChainLease) async throws

  // MARK: The outbox

  /// Returns the entries of a relayer's key, in the order of their nonces.
  func entries(of key: Address) async throws -> [OutboxEntry]
  /// Stores an entry as it is now, and the state of its request: submitted, or mined if it has a receipt. Attempts that
  /// are stored stay.
  func write(_ entry: OutboxEntry, _ lease: ChainLease) async throws
  /// Deletes an entry that is final. What it cost takes the place of what was reserved, and its request is mined.
  ///
  /// - Parameter receipt: `nil` if another program has used the nonce. Then the reservation is released, and the request
  ///   dropped.
  func finish(_ entry: OutboxEntry, _ receipt: TransactionReceipt?, _ lease: ChainLease) async throws
  /// Returns the relayers' keys that have entries.
  func relayers() async throws -> [Address]
  /// Deletes an entry of a key that was replaced. Its request waits for a relayer again.
  ///
  /// - Parameters:
  ///   - mayBeCarried: whether one of the entry's transactions may still be carried. Then what is reserved counts as spent.
  ///   - lease: that of the entry's key: no server has the key any more.
  func handOver(_ entry: OutboxEntry, mayBeCarried: Bool, _ lease: ChainLease) async throws

  // MARK: Sponsoring

  /// Reserves the greatest cost of an operation, or what it may cost more now: see `SponsoringLedger.reserve`.
  ///
  /// - Returns: the refusal; `nil` if the cost is reserved.
  func reserve(
    _ sponsorship: Sponsorship, for callID: Bytes32, _ kind: SponsoredKind
  ) async throws -> SponsoringRefusal?
  /// Returns what was spent in the present intervals.
  ///
  /// - Parameter person: `nil` for all together.
  func usage(of person: Address?, at now: Int64) async throws -> [CalendarInterval: SponsoringLedger.Usage]

  // MARK: Upkeep

  /// Deletes drafts and requests that have lapsed: those that began before a time, whose amount was not locked, and of
  /// which no request is open (waiting, submitted, mined with effect, or reverted in a block that is not final).
  ///
  /// - Returns: the number of rows deleted. It is bounded: call again until it is 0.
  @discardableResult func removeLapsed(before time: Int64) async throws -> Int
}
