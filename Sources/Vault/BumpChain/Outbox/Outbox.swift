public import BumpWallet

/// The calls of one relayer's key that are not final yet, in the order of their nonces.
///
/// It has no socket, store or clock: a caller tells it what happened, and does what it returns. It keeps these promises:
/// nothing is sent that is not stored; a transaction is sent again with the same bytes; a replacement pays more and uses
/// the same nonce; a call is over once one of its transactions is in a final block. Only one outbox may use a key.
public struct Outbox: Sendable {
  /// What the caller must do.
  public enum Effect: Hashable, Sendable {
    /// Store the entry, durably, and call `stored` after that. Until then nothing of it is sent: if the store fails, try
    /// again.
    case store(OutboxEntry)
    /// Send the transaction, and call `answered`.
    case send(SignedTransaction, nonce: UInt64)
    /// Ask for the receipts of all these transactions, and for the number of the key's final transactions, and call
    /// `looked`.
    case look([Bytes32], nonce: UInt64)
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
    /// How many calls may be open at once.
    public var open = 64
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
  /// The calls that are not final, in the order of their nonces.
  public private(set) var entries: [OutboxEntry]
  /// The nonce of the next new call.
  public private(set) var nextNonce: UInt64

  /// Opens an outbox.
  ///
  /// - Parameters:
  ///   - entries: the entries of the store.
  ///   - count: the number of the key's transactions in the latest block.
  public init(
    _ key: PrivateKey, chainID: UInt64, _ policy: FeePolicy, _ settings: Settings = Settings(),
    entries: [OutboxEntry] = [], count: UInt64
  ) {
    (self.key, self.chainID, self.policy, self.settings) = (key, chainID, policy, settings)
    self.entries = entries.sorted { $0.nonce < $1.nonce }
    nextNonce = max(count, self.entries.last.map { $0.nonce + 1 } ?? 0)
  }

  /// Begins a call.
  public mutating func submit(_ call: RelayedCall, _ fees: Fees) -> Submission {
    if let entry = entries.first(where: { $0.call.id == call.id }) { return .existing(entry) }
    guard entries.count < settings.open else { return .full }
    let entry = OutboxEntry(nonce: nextNonce, call: call, first: attempt(call, nonce: nextNonce, fees))
    nextNonce += 1
    entries.append(entry)
    return .begun(entry, [.store(entry)])
  }

  /// Goes on once an entry is stored. Another attempt than the latest is not sent any more.
  public mutating func stored(_ stored: OutboxEntry, at now: Int64) -> [Effect] {
    guard let index = index(of: stored.nonce), entries[index].latest == stored.latest else { return [] }
    entries[index].isStored = true
    return send(index, at: now)
  }

  /// Goes on once a transaction was sent. Whatever the node says, only a receipt shows that it was mined.
  public mutating func answered(_ hash: Bytes32, _ answer: Answer, nonce: UInt64) -> [Effect] {
    guard let index = index(of: nonce), entries[index].latest.transaction.hash == hash else { return [] }
    switch answer {
    case .accepted:
      entries[index].refusal = nil
      return []
    case .refused(.alreadyKnown): entries[index].refusal = nil
    case .refused(let kind): entries[index].refusal = kind
    case .unknown: break
    }
    return [.look(entries[index].hashes, nonce: nonce)]
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
    guard let index = index(of: nonce) else { return [] }
    entries[index].lookedLast = now
    if let receipt = receipts.first(where: { entries[index].hashes.contains($0.transaction) }) {
      entries[index].receipt = receipt
      entries[index].misses = 0
      guard receipt.blockNumber <= finalized else { return [] }
      return [.finish(entries.remove(at: index), receipt)]
    }
    if let finalCount, finalCount > nonce {
      entries[index].misses += 1
      if entries[index].misses >= settings.misses { return [.lose(entries.remove(at: index))] }
    }
    guard entries[index].receipt != nil else { return [] }
    // A reorganization took it back.
    entries[index].receipt = nil
    return send(index, at: now)
  }

  /// Learns how many transactions the key has made. More than the outbox knows of are another program's.
  public mutating func observed(count: UInt64) { nextNonce = max(nextNonce, count) }

  /// Does what is due. Call this each second.
  ///
  /// - Parameters:
  ///   - market: the fees of a new call now; `nil` if they are not known, or above the cap.
  ///   - mayCost: asks whether an entry may cost so much, in wei, and reserves it. The answer must be durable.
  public mutating func tick(
    _ now: Int64, market: Fees?, mayCost: (OutboxEntry, UInt128) -> Bool = { _, _ in true }
  ) -> [Effect] {
    var effects: [Effect] = []
    let lowest = entries.first { $0.receipt == nil }?.nonce
    for index in entries.indices {
      let entry = entries[index]
      if entry.lookedLast.map({ now - $0 >= settings.look }) ?? entry.isStored {
        entries[index].lookedLast = now
        effects.append(.look(entry.hashes, nonce: entry.nonce))
      }
      guard entry.receipt == nil, entry.isStored else { continue }
      if isDue(entry, isLowest: entry.nonce == lowest, market, at: now),
        let fees = policy.raised(entry.latest.fees, market: market), mayCost(entry, entry.cost(at: fees))
      {
        entries[index].attempts.append(attempt(entry.call, nonce: entry.nonce, fees))
        (entries[index].isStored, entries[index].refusal) = (false, nil)
        (entries[index].sentFirst, entries[index].sentLast) = (nil, nil)
        effects.append(.store(entries[index]))
      } else if entry.sentLast.map({ now - $0 >= settings.resend }) ?? true {
        effects += send(index, at: now)
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
  private mutating func send(_ index: Int, at now: Int64) -> [Effect] {
    guard entries[index].isStored else { return [] }
    entries[index].sentFirst = entries[index].sentFirst ?? now
    entries[index].sentLast = now
    return [.send(entries[index].latest.transaction, nonce: entries[index].nonce)]
  }

  private func index(of nonce: UInt64) -> Int? { entries.firstIndex { $0.nonce == nonce } }
}
