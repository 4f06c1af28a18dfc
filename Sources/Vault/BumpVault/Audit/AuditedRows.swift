public import BumpWallet

/// A stored journal entry, with the values that the audit compares it with.
public struct AuditedEntry: Hashable, Sendable {
  /// The entry's stored values. `JournalEntry.hash` is computed from them.
  public let entry: JournalEntry
  /// The hash that is stored with the entry.
  public let hash: Bytes32
  /// The terms of the claim with the entry's ledger id; `nil` for a mint.
  public let terms: ClaimTerms?

  /// Makes an entry of what a store has. Checks nothing: `Audit` does.
  public init(entry: JournalEntry, hash: Bytes32, terms: ClaimTerms?) {
    (self.entry, self.hash, self.terms) = (entry, hash, terms)
  }
}

/// A stored batch with its entries.
public struct SealedBatch: Hashable, Sendable {
  /// The batch's stored values. `Batch.hash` is computed from them.
  public let batch: Batch
  /// The hash that is stored with the batch.
  public let hash: Bytes32
  /// The batch's entries, in the order of its hashes.
  public let entries: [AuditedEntry]

  /// Makes a batch of what a store has. Checks nothing: `Audit` does.
  public init(batch: Batch, hash: Bytes32, entries: [AuditedEntry]) {
    (self.batch, self.hash, self.entries) = (batch, hash, entries)
  }
}

/// Everything in a store that its sealed batches do not contain, as of one moment.
public struct StoreSnapshot: Hashable, Sendable {
  /// The number of sealed batches.
  public let batches: Int64
  /// Entries that are in no batch yet.
  public let unsealed: [AuditedEntry]
  /// The balances in base units, without those that are zero.
  public let balances: [BalanceKey: Int64]
  /// How much of each token was made.
  public let minted: [Address: Int64]
  /// All claims that are not drafts.
  public let claims: [ClaimRecord]
  /// Each sender's count of pending claims.
  public let pending: [Address: Int64]
  /// The vault's description, and its earlier ones from before its store was copied.
  public let vaults: [VaultDescription]

  /// Makes a standing. The caller reads all values in one transaction, or they may contradict each other.
  public init(
    batches: Int64, unsealed: [AuditedEntry], balances: [BalanceKey: Int64], minted: [Address: Int64],
    claims: [ClaimRecord], pending: [Address: Int64], vaults: [VaultDescription]
  ) {
    (self.batches, self.unsealed, self.balances, self.minted) = (batches, unsealed, balances, minted)
    (self.claims, self.pending, self.vaults) = (claims, pending, vaults)
  }
}

/// The pair of an account and a token, by which balances are kept.
public struct BalanceKey: Hashable, Sendable {
  /// The address that the balance belongs to.
  public let account: Address
  /// The address of the token's contract.
  public let token: Address

  /// Makes the pair: the account first, then the token's contract.
  public init(_ account: Address, _ token: Address) {
    (self.account, self.token) = (account, token)
  }
}
