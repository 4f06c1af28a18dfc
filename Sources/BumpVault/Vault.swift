public import BumpClaims
public import BumpWallet

/// A vault: its rules, and the store that they are applied to.
///
/// Every request may be repeated: what was done already is answered, not done again. So where an answer was lost, a client
/// asks again, and the vault does the same with its store.
public struct Vault: Sendable {
  public let rules: VaultRules
  let store: any VaultStore

  /// Opens the vault whose money a store keeps.
  ///
  /// - Throws: `VaultStoreError`.
  public init(_ store: any VaultStore, limits: VaultLimits = VaultLimits()) async throws {
    self.store = store
    rules = VaultRules(try await store.identity(), limits: limits)
  }

  /// Writes a claim down without money. It lapses unless the deposit follows within minutes, and counts against nobody.
  ///
  /// - Returns: the claim as it stands, which for a repeat may be further on.
  /// - Throws: `VaultRefusal`, `VaultStoreError`.
  public func draft(_ claimID: ClaimID, _ terms: ClaimTerms) async throws -> ClaimRecord {
    try await carryOut {
      try rules.draft(claimID, terms, try await store.rows(of: claimID))
    } answer: {
      $0.claim
    }
  }

  /// Locks a claim's amount.
  ///
  /// The authorization names the terms and no claim id: whoever carries it can deposit it under an id of their own. To deposit
  /// it under another id then is a repeat.
  ///
  /// - Returns: the claim as it stands, which for a repeat may be further on.
  /// - Throws: `VaultRefusal`, `VaultStoreError`.
  public func deposit(_ claimID: ClaimID, _ authorization: SenderAuthorization) async throws -> ClaimRecord {
    try await carryOut {
      var rows = try await store.rows(of: claimID, from: authorization.sender)
      if rows.isLedgerIDUsed, let ledgerID = rows.claim.claim?.terms.ledgerID,
        let holder = try await store.claimID(of: ledgerID)
      {
        rows = try await store.rows(of: holder, from: authorization.sender)
      }
      return try rules.deposit(authorization, rows)
    } answer: {
      $0.claim
    }
  }

  /// Pays a claim out to the first receiver who proves knowledge of its secret.
  ///
  /// - Throws: `VaultRefusal`, `VaultStoreError`.
  public func claim(_ claimID: ClaimID, for receiver: Address, proof: [UInt8]) async throws -> SignedReceipt {
    try await carryOut {
      try rules.claim(for: receiver, proof: proof, try await store.rows(of: claimID))
    } answer: {
      $0.claim.flatMap(rules.receipt)
    }
  }

  /// Pays an expired claim back to its sender.
  ///
  /// - Throws: `VaultRefusal`, `VaultStoreError`.
  public func refund(_ claimID: ClaimID) async throws -> SignedReceipt {
    try await carryOut {
      try rules.refund(try await store.rows(of: claimID))
    } answer: {
      $0.claim.flatMap(rules.receipt)
    }
  }

  /// Makes test money.
  ///
  /// - Parameter id: drawn by who asks. The same id is a repeat.
  /// - Throws: `VaultRefusal`, `VaultStoreError`.
  public func mint(
    _ id: Bytes32, _ amount: Amount, of token: Address, to receiver: Address
  ) async throws -> JournalEntry {
    try await carryOut {
      try rules.mint(id, amount, of: token, to: receiver, try await store.rows(ofMint: id, of: token))
    } answer: {
      $0.entry
    }
  }

  /// Shows a claim to whoever asks.
  ///
  /// - Throws: `VaultRefusal.unknownClaim`, `VaultStoreError`.
  public func view(_ name: ClaimName) async throws -> ClaimView {
    try await view(claimID(name), askedBy: name)
  }

  /// The same for whoever looks at a claim again and again: under which id the store has it is asked once.
  public func view(_ claimID: ClaimID, askedBy name: ClaimName) async throws -> ClaimView {
    let rows = try await store.rows(of: claimID)
    return ClaimView(try rules.found(rows), askedBy: name, at: rows.now)
  }

  /// The id under which the store has a claim.
  ///
  /// - Throws: `VaultRefusal.unknownClaim` for a ledger id of which nothing was deposited, `VaultStoreError`.
  public func claimID(_ name: ClaimName) async throws -> ClaimID {
    switch name {
    case .claimID(let id): return id
    case .ledgerID(let ledgerID):
      guard let id = try await store.claimID(of: ledgerID) else { throw rules.unknownClaim() }
      return id
    }
  }

  /// How often a change is decided anew. A claim has three transitions: more attempts than that are for what a sender does
  /// at the same time with others.
  private static let attempts = 32

  /// Decides and carries the change out; decides anew where the rows changed in between, or the store cannot say whether
  /// it was carried out.
  private func carryOut<Answer>(
    _ decide: () async throws -> Decision<Answer>, answer: (Committed) -> Answer?
  ) async throws -> Answer {
    for _ in 0..<Self.attempts {
      switch try await decide() {
      case .answer(let answer): return answer
      case .change(let change):
        do {
          if let committed = try await store.commit(change), let answer = answer(committed) { return answer }
        } catch let error as VaultStoreError where error.code == .outcomeUnknown {
          continue
        }
      }
    }
    throw VaultRefusal(.busy, "the claim or the account kept changing meanwhile", remedy: "Try again")
  }
}
