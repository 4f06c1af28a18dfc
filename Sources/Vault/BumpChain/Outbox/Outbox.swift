public import BumpWallet

/// The calls of one relayer's key that are not final yet, in the order of their nonces.
///
/// It has no socket, store or clock: a caller tells it what happened, and does what it returns. It keeps these promises:
/// nothing is sent that is not stored; a transaction is sent again with the same bytes; a replacement pays more and uses
/// the same nonce; a call is over once one of its transactions is in a final block. Only one outbox may use a key.
public struct Outbox: Sendable {
  /// What the caller must do. What is about one nonce must be done in the order in which it is returned.
  public enum Effect: Hashable, Sendable {
    /// Store the entry, durably, and call `stored` after that. Until then nothing of it is sent: if the store fails, try
    /// again.
    case store(OutboxEntry)
    /// Send the transaction, and call `answered`.
    case send(SignedTransaction, nonce: UInt64)
    /// Ask for the receipts of all these transactions, and for the number of the key's final transactions, and call
    /// `looked`.
    case look([Bytes32], nonce: UInt64)
    /// A block has one of the transactions: tell it, and store the entry when convenient. A reorganization may take it
    /// back; then another one of these follows.
    case mined(OutboxEntry, TransactionReceipt)
    /// The call is final: settle its cost, and delete the entry.
    case finish(OutboxEntry, TransactionReceipt)
    /// Another program has used the nonce, and the call was not carried: report it, and delete the entry.
    case lose(OutboxEntry)
  }

  /// What a node said to a transaction that was sent.
  public enum Answer: Hashable, Sendable {
    /// It took the transaction.
    case accepted
    /// It refused the transaction.
    case refused(NodeRefusal.Kind)
    /// There was no answer, or none that could be read: the node may have taken it.
    case unknown
  }

  /// What became of a new call.
  public enum Submission: Hashable, Sendable {
    /// The call has a nonce.
    case begun(OutboxEntry, [Effect])
    /// The same call was begun before.
    case existing(OutboxEntry)
    /// There are too many calls: nodes forget more.
    case full
  }

  /// Times are seconds.
  public struct Settings: Hashable, Sendable {
    /// How many calls may wait for a block at once.
    public var waiting = 256
    /// When to ask for receipts again.
    public var look: Int64 = 2
    /// When to send the same bytes again.
    public var resend: Int64 = 30
    /// When to pay more.
    public var raise: Int64 = 60
    /// How many times in a row a receipt must be missing before a used nonce counts as lost. A node may have a
    /// transaction's block before it has its receipt.
    public var misses = 3

    /// Makes settings.
    public init() {}
  }

  private let key: PrivateKey
  private let chainID: UInt64
  private let policy: FeePolicy
  private let settings: Settings
  private var byNonce: [UInt64: OutboxEntry] = [:]
  /// The nonces of calls, by the calls' ids.
  private var nonces: [Bytes32: UInt64] = [:]
  /// The nonces of which something is to be done: no block has them, or the receipt is doubtful.
  private var waiting: Set<UInt64> = []
  /// The nonces that a new call gets before all others, in their order: others were stored behind them, and wait.
  private var gaps: [UInt64]
  /// The nonce of the next new call, unless there is a gap.
  public private(set) var nextNonce: UInt64

  /// Opens an outbox.
  ///
  /// - Parameters:
  ///   - entries: the entries of the store.
  ///   - count: the number of the key's transactions up to the latest block.
  public init(
    _ key: PrivateKey, chainID: UInt64, _ policy: FeePolicy, _ settings: Settings = Settings(),
    entries: [OutboxEntry] = [], count: UInt64
  ) {
    (self.key, self.chainID, self.policy, self.settings) = (key, chainID, policy, settings)
    for entry in entries {
      (byNonce[entry.nonce], nonces[entry.call.id]) = (entry, entry.nonce)
      waiting.insert(entry.nonce)
    }
    nextNonce = max(count, byNonce.keys.max().map { $0 + 1 } ?? 0)
    gaps = []
    gaps = (count..<nextNonce).filter { byNonce[$0] == nil }
  }

  /// The calls that are not final, in the order of their nonces.
  public var entries: [OutboxEntry] { byNonce.values.sorted { $0.nonce < $1.nonce } }

  /// Returns the call of a nonce; `nil` if it is final, or there is none.
  public func entry(_ nonce: UInt64) -> OutboxEntry? { byNonce[nonce] }

  /// Begins a call.
  public mutating func submit(_ call: RelayedCall, _ fees: Fees) -> Submission {
    if let nonce = nonces[call.id], let entry = byNonce[nonce] { return .existing(entry) }
    guard waiting.count(where: { byNonce[$0]?.receipt == nil }) < settings.waiting else { return .full }
    let nonce = gaps.isEmpty ? nextNonce : gaps.removeFirst()
    nextNonce = max(nextNonce, nonce + 1)
    let entry = OutboxEntry(nonce: nonce, call: call, first: attempt(call, nonce: nonce, fees))
    (byNonce[entry.nonce], nonces[call.id]) = (entry, entry.nonce)
    waiting.insert(entry.nonce)
    return .begun(entry, [.store(entry)])
  }

  /// Goes on once an entry is stored. Another attempt than the latest is not sent any more.
  public mutating func stored(_ stored: OutboxEntry, at now: Int64) -> [Effect] {
    guard byNonce[stored.nonce]?.latest == stored.latest else { return [] }
    byNonce[stored.nonce]?.isStored = true
    return send(stored.nonce, at: now)
  }

  /// Goes on once a transaction was sent. Whatever the node says, only a receipt shows that it was mined.
  public mutating func answered(_ hash: Bytes32, _ answer: Answer, nonce: UInt64) -> [Effect] {
    guard var entry = byNonce[nonce], entry.latest.transaction.hash == hash else { return [] }
    switch answer {
    case .accepted, .refused(.alreadyKnown): entry.refusal = nil
    case .refused(let kind): entry.refusal = kind
    case .unknown: break
    }
    byNonce[nonce] = entry
    return answer == .accepted ? [] : [.look(entry.hashes, nonce: nonce)]
  }

  /// Goes on once receipts were asked for.
  ///
  /// - Parameters:
  ///   - receipts: the receipts that were found.
  ///   - finalCount: the number of the key's transactions in the latest final block; `nil` if it is not known.
  ///   - finalized: the number of the latest final block.
  public mutating func looked(
    _ nonce: UInt64, _ receipts: [TransactionReceipt], finalCount: UInt64?, finalized: UInt64, at now: Int64
  ) -> [Effect] {
    guard var entry = byNonce[nonce] else { return [] }
    let before = entry.receipt
    entry.lookedLast = now
    if let receipt = receipts.first(where: { entry.hashes.contains($0.transaction) }) {
      (entry.receipt, entry.misses, entry.isDoubtful) = (receipt, 0, false)
      if receipt.blockNumber <= finalized {
        remove(entry)
        return [.finish(entry, receipt)]
      }
      byNonce[nonce] = entry
      waiting.remove(nonce)
      return receipt == before ? [] : [.mined(entry, receipt)]
    }
    if let finalCount, finalCount > nonce {
      entry.misses += 1
      if entry.misses >= settings.misses {
        remove(entry)
        return [.lose(entry)]
      }
    }
    (entry.receipt, entry.isDoubtful) = (nil, false)
    byNonce[nonce] = entry
    waiting.insert(nonce)
    // A reorganization took it back.
    return before == nil ? [] : send(nonce, at: now)
  }

  /// Learns that the chain has moved: receipts of blocks that were taken back, or are final now, are asked for again.
  ///
  /// - Parameters:
  ///   - block: the number of the block above which blocks were taken back; `nil` if none were.
  ///   - finalized: the number of the latest final block.
  public mutating func moved(takingBackAbove block: UInt64?, finalized: UInt64) {
    for (nonce, entry) in byNonce {
      guard let mined = entry.receipt?.blockNumber, mined <= finalized || mined > block ?? .max else { continue }
      byNonce[nonce]?.isDoubtful = true
      waiting.insert(nonce)
    }
  }

  /// Does what is due. Call this each second.
  ///
  /// - Parameters:
  ///   - market: the fees of a new call now; `nil` if they are not known, or above the cap.
  ///   - mayCost: asks whether an entry may cost so much, in wei, and reserves it. The answer must be durable.
  public mutating func tick(
    _ now: Int64, market: Fees?, mayCost: (OutboxEntry, UInt128) -> Bool = { _, _ in true }
  ) -> [Effect] {
    var effects: [Effect] = []
    let due = waiting.sorted()
    let lowest = due.first { byNonce[$0]?.receipt == nil }
    for nonce in due {
      guard var entry = byNonce[nonce] else { continue }
      let looks = entry.lookedLast.map { now - $0 >= settings.look } ?? entry.isStored
      if looks { entry.lookedLast = now }
      byNonce[nonce] = entry
      // Last, since the entry may be deleted after it.
      defer { if looks { effects.append(.look(entry.hashes, nonce: nonce)) } }
      guard entry.receipt == nil, entry.isStored else { continue }
      if isDue(entry, isLowest: nonce == lowest, market, at: now),
        let fees = policy.raised(entry.latest.fees, market: market), mayCost(entry, entry.cost(at: fees))
      {
        entry.attempts.append(attempt(entry.call, nonce: entry.nonce, fees))
        (entry.isStored, entry.refusal, entry.sentFirst, entry.sentLast) = (false, nil, nil, nil)
        byNonce[nonce] = entry
        effects.append(.store(entry))
      } else if entry.sentLast.map({ now - $0 >= settings.resend }) ?? true {
        effects += send(nonce, at: now)
      }
    }
    return effects
  }

  /// Returns whether an entry should pay more: the node said so, or it waits for long, and nothing before it is the
  /// reason.
  private func isDue(_ entry: OutboxEntry, isLowest: Bool, _ market: Fees?, at now: Int64) -> Bool {
    guard let sent = entry.sentFirst else { return false }
    if entry.refusal == .underpriced || entry.refusal == .replacementUnderpriced { return true }
    let isBelowMarket = market.map { entry.latest.fees.maximum < $0.maximum } ?? false
    return now - sent >= settings.raise && (isLowest || isBelowMarket)
  }

  private func attempt(_ call: RelayedCall, nonce: UInt64, _ fees: Fees) -> OutboxEntry.Attempt {
    let transaction = ChainTransaction(
      chainID: chainID, nonce: nonce, fees: fees, gasLimit: call.gasLimit, to: call.contract, data: call.data)
    return OutboxEntry.Attempt(fees: fees, transaction: transaction.signed(by: key))
  }

  /// Sends the latest attempt, if it is stored.
  private mutating func send(_ nonce: UInt64, at now: Int64) -> [Effect] {
    guard var entry = byNonce[nonce], entry.isStored else { return [] }
    (entry.sentFirst, entry.sentLast) = (entry.sentFirst ?? now, now)
    byNonce[nonce] = entry
    return [.send(entry.latest.transaction, nonce: nonce)]
  }

  private mutating func remove(_ entry: OutboxEntry) {
    (byNonce[entry.nonce], nonces[entry.call.id]) = (nil, nil)
    waiting.remove(entry.nonce)
  }
}
