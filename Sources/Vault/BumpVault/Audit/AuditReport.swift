public import BumpWallet

/// The result of an audit.
public struct AuditReport: Hashable, Sendable {
  /// A token's sums, in base units.
  public struct TokenTotals: Hashable, Sendable {
    /// How much of the token was made.
    public var minted: Int64 = 0
    /// The sum of all accounts' balances.
    public var balances: Int64 = 0
    /// The sum of the pending claims.
    public var locked: Int64 = 0

    /// Makes sums of zero.
    public init() {}
  }

  /// The sums of each token, by its contract.
  public let sums: [Address: TokenTotals]
  /// The number of journal entries, sealed or not.
  public let entries: Int
  /// The number of sealed batches.
  public let batches: Int64
  /// What is wrong, a sentence each: the first hundred.
  public let findings: [String]

  /// Whether the vault's books are in order.
  public var isSound: Bool { findings.isEmpty }
}
