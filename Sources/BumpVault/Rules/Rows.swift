import BumpWallet

/// The rows that a decision about one claim needs, as they stood at one moment.
public struct ClaimRows: Hashable, Sendable {
  /// The store's time, in seconds since 1970.
  public let now: Int64
  /// `nil` where there is none of that id.
  public let claim: ClaimRecord?

  public init(now: Int64, claim: ClaimRecord?) {
    (self.now, self.claim) = (now, claim)
  }
}

/// The rows that a decision about a deposit needs besides.
public struct DepositRows: Hashable, Sendable {
  public let claim: ClaimRows
  /// Whether a claim of another id has the same ledger id, and is no draft.
  public let isLedgerIDUsed: Bool
  /// The sender's, of the claim's token.
  public let balance: Int64
  public let use: SenderUse

  public init(claim: ClaimRows, isLedgerIDUsed: Bool, balance: Int64, use: SenderUse) {
    (self.claim, self.isLedgerIDUsed, self.balance, self.use) = (claim, isLedgerIDUsed, balance, use)
  }
}

/// The rows that a decision about a mint needs.
public struct MintRows: Hashable, Sendable {
  /// The mint that had the same id before.
  public let earlier: JournalEntry?
  /// All that was made of the token so far.
  public let minted: Int64

  public init(earlier: JournalEntry?, minted: Int64) {
    (self.earlier, self.minted) = (earlier, minted)
  }
}
