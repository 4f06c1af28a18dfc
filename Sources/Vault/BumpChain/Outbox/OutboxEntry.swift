public import BumpWallet

/// A nonce of a relayer's key, the call for which it is used, and every transaction that was signed for it.
///
/// At most one of the transactions gets into the chain, and it may be any of them. So none is forgotten before one is
/// final.
public struct OutboxEntry: Hashable, Sendable {
  /// A signed transaction, and its fees.
  public struct Attempt: Hashable, Sendable {
    /// The fees.
    public let fees: Fees
    /// The signed bytes, which are always sent as they are.
    public let transaction: SignedTransaction

    /// Makes an attempt of its values.
    public init(fees: Fees, transaction: SignedTransaction) {
      (self.fees, self.transaction) = (fees, transaction)
    }
  }

  /// The nonce.
  public let nonce: UInt64
  /// The call.
  public let call: RelayedCall
  /// The transactions, the latest last. There is at least one.
  public internal(set) var attempts: [Attempt]
  /// The receipt that was found last; `nil` while no block of the node's chain has one of the transactions.
  public internal(set) var receipt: TransactionReceipt?
  /// Why the node refused the latest transaction; `nil` if it did not.
  public internal(set) var refusal: NodeRefusal.Kind?

  /// Whether the latest attempt is stored.
  var isStored: Bool
  /// When the latest attempt was sent first, and when last; `nil` before that.
  var sentFirst: Int64?
  var sentLast: Int64?
  /// When the receipts were asked for last.
  var lookedLast: Int64?
  /// How many times in a row no receipt was found though the nonce is used up for good.
  var misses = 0
  /// Whether the receipt must be asked for again: its block was taken back, or is final now.
  var isDoubtful = false

  /// Makes an entry as the store has it.
  ///
  /// - Parameter receipt: the receipt that was found before, if it was stored. It is asked for again.
  /// - Returns: `nil` without attempts.
  public init?(nonce: UInt64, call: RelayedCall, attempts: [Attempt], receipt: TransactionReceipt? = nil) {
    guard !attempts.isEmpty else { return nil }
    (self.nonce, self.call, self.attempts, isStored) = (nonce, call, attempts, true)
    (self.receipt, isDoubtful) = (receipt, receipt != nil)
  }

  init(nonce: UInt64, call: RelayedCall, first attempt: Attempt) {
    (self.nonce, self.call, attempts, isStored) = (nonce, call, [attempt], false)
  }

  /// The attempt that is sent.
  public var latest: Attempt { attempts[attempts.count - 1] }

  /// The hashes of all attempts. A receipt of any of them is the call's.
  public var hashes: [Bytes32] { attempts.map(\.transaction.hash) }

  /// The most that the call may cost, in wei, without what a rollup charges for its data.
  public func cost(at fees: Fees) -> UInt128 { UInt128(call.gasLimit) * UInt128(fees.maximum) }
}
