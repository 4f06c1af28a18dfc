public import BumpWallet

/// An entry as a store has it, with what the audit holds it against.
public struct AuditedEntry: Hashable, Sendable {
  public let entry: JournalEntry
  /// The hash that was written down with it.
  public let hash: Bytes32
  /// Those of the claim with that ledger id; `nil` for a mint.
  public let terms: ClaimTerms?

  public init(entry: JournalEntry, hash: Bytes32, terms: ClaimTerms?) {
    (self.entry, self.hash, self.terms) = (entry, hash, terms)
  }
}

/// A batch as a store has it.
public struct SealedBatch: Hashable, Sendable {
  public let batch: Batch
  /// The hash that was written down with it.
  public let hash: Bytes32
  /// In the order of the batch's hashes.
  public let entries: [AuditedEntry]

  public init(batch: Batch, hash: Bytes32, entries: [AuditedEntry]) {
    (self.batch, self.hash, self.entries) = (batch, hash, entries)
  }
}

/// What a store holds beside its sealed batches, at one moment.
public struct Standing: Hashable, Sendable {
  /// How many batches are sealed.
  public let batches: Int64
  /// Entries that are in no batch yet.
  public let unsealed: [AuditedEntry]
  public let balances: [Holding: Int64]
  /// All that was made of each token.
  public let minted: [Address: Int64]
  /// All but drafts.
  public let claims: [ClaimRecord]
  /// Each sender's count of pending claims.
  public let pending: [Address: Int64]
  /// What the vault is now, and what it was before its store was copied.
  public let vaults: [VaultDescription]

  public init(
    batches: Int64, unsealed: [AuditedEntry], balances: [Holding: Int64], minted: [Address: Int64],
    claims: [ClaimRecord], pending: [Address: Int64], vaults: [VaultDescription]
  ) {
    (self.batches, self.unsealed, self.balances, self.minted) = (batches, unsealed, balances, minted)
    (self.claims, self.pending, self.vaults) = (claims, pending, vaults)
  }
}

/// An account's money of one token.
public struct Holding: Hashable, Sendable {
  public let account: Address
  public let token: Address

  public init(_ account: Address, _ token: Address) {
    (self.account, self.token) = (account, token)
  }
}
