/// What is known of a call of a relayer's key that this program does not have: the operator has replaced it.
///
/// Its transaction may still be carried, so it is looked for and sent again. Nobody can sign one that pays more: where an
/// outbox would do that, the call is handed over to the key that there is. If both are carried, the contract refuses the
/// later one, which costs its gas.
public struct FormerCall: Hashable, Sendable {
  /// What the caller must do.
  public enum Step: Hashable, Sendable {
    /// Nothing.
    case wait
    /// Send the transaction again.
    case send(SignedTransaction)
    /// Store the entry: a block has one of its transactions, or has it no more.
    case store(OutboxEntry)
    /// The call is final: settle its cost, and delete the entry.
    case finish(OutboxEntry, TransactionReceipt)
    /// Delete the entry, and have another key carry the call. Unless the nonce is used up for good, the transaction
    /// may still be carried too, at its sponsor's cost.
    case handOver(OutboxEntry, mayBeCarried: Bool)

    /// Whether the entry is deleted with it.
    public var isLast: Bool {
      switch self {
      case .wait, .send, .store: false
      case .finish, .handOver: true
      }
    }
  }

  /// Since when no block is known that has a transaction of the call.
  private var since: Int64
  private var sentLast: Int64?
  private var misses = 0

  /// Begins with a call that was found in the store.
  public init(at now: Int64) { since = now }

  /// Goes on once receipts were asked for.
  ///
  /// - Parameters:
  ///   - receipts: the receipts that were found of the entry's transactions.
  ///   - finalCount: the number of the key's transactions in the latest final block; `nil` if it is not known.
  ///   - finalized: the number of the latest final block.
  public mutating func looked(
    _ entry: OutboxEntry, _ receipts: [TransactionReceipt], finalCount: UInt64?, finalized: UInt64, at now: Int64,
    _ settings: Outbox.Settings
  ) -> Step {
    var entry = entry
    if let receipt = receipts.first(where: { entry.hashes.contains($0.transaction) }) {
      (since, misses) = (now, 0)
      if receipt.blockNumber <= finalized { return .finish(entry, receipt) }
      if receipt == entry.receipt { return .wait }
      entry.receipt = receipt
      return .store(entry)
    }
    if entry.receipt != nil {
      // A reorganization took it back.
      (since, entry.receipt) = (now, nil)
      return .store(entry)
    }
    if let finalCount, finalCount > entry.nonce {
      misses += 1
      return misses < settings.misses ? .wait : .handOver(entry, mayBeCarried: false)
    }
    misses = 0
    if now - since >= settings.raise { return .handOver(entry, mayBeCarried: true) }
    if let sentLast, now - sentLast < settings.resend { return .wait }
    sentLast = now
    return .send(entry.latest.transaction)
  }
}
