import BumpWallet

/// The rows for a decision about one claim, as of one moment.
public struct ClaimRows: Hashable, Sendable {
  /// The store's time.
  public let time: StoreTime
  /// The claim; `nil` if there is none of that id.
  public let claim: ClaimRecord?
  /// The time that is proven, in seconds since 1970.
  public var now: Int64 { time.now }

  /// Makes the rows. The caller reads both values as of one moment.
  public init(time: StoreTime, claim: ClaimRecord?) {
    (self.time, self.claim) = (time, claim)
  }

  /// Makes the rows of a moment whose time is proven.
  public init(now: Int64, claim: ClaimRecord?) {
    self.init(time: StoreTime(now: now, clock: now), claim: claim)
  }
}

/// The rows for a decision about a deposit.
public struct DepositRows: Hashable, Sendable {
  /// The claim to deposit, and the store's time.
  public let claim: ClaimRows
  /// Whether a claim of another id has the same ledger id, and is not a draft.
  public let isLedgerIDUsed: Bool
  /// The sender's balance of the claim's token, in base units.
  public let balance: Int64
  /// How much of its limits the sender has used.
  public let use: SenderUsage

  /// Makes the rows. The caller reads all values as of one moment.
  public init(claim: ClaimRows, isLedgerIDUsed: Bool, balance: Int64, use: SenderUsage) {
    (self.claim, self.isLedgerIDUsed, self.balance, self.use) = (claim, isLedgerIDUsed, balance, use)
  }
}

/// The rows for a decision about a mint.
public struct MintRows: Hashable, Sendable {
  /// The earlier mint with the same id; `nil` if there is none.
  public let earlier: JournalEntry?
  /// How much of the token was made so far, in base units.
  public let minted: Int64

  /// Makes the rows. The caller reads both values as of one moment.
  public init(earlier: JournalEntry?, minted: Int64) {
    (self.earlier, self.minted) = (earlier, minted)
  }
}
