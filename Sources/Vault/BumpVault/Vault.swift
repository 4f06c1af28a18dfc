public import BumpClaims
public import BumpWallet

/// A vault: its rules, and the store to which they are applied.
///
/// Every request may be repeated: if it was carried out before, the vault returns the same answer and does nothing. So
/// a client that lost an answer asks again, and the vault asks its store in the same way.
public struct Vault: Sendable {
  /// The rules, with the store's identity and the vault's limits.
  public let rules: VaultRules
  let store: any VaultStore
  /// Called with each claim whose money this vault has moved, once that is durable. A repeat moves none.
  public var changed: @Sendable (ClaimID) -> Void = { _ in }

  /// Opens the vault whose money is in a store.
  ///
  /// - Throws: `VaultStoreError`.
  public init(_ store: any VaultStore, limits: VaultLimits = VaultLimits()) async throws {
    self.store = store
    rules = VaultRules(try await store.identity(), limits: limits)
  }

  /// Stores a claim without money. It lapses unless the deposit follows within the draft's lifetime, and counts against
  /// no sender's limits.
  ///
  /// - Returns: the claim in its present state. After a repeated request that may be a later one.
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
  /// The authorization contains the terms and no claim id, so anybody who has a copy can deposit it under an id of
  /// their own. A deposit of the same authorization under another id then counts as a repeat.
  ///
  /// - Returns: the claim in its present state. After a repeated request that may be a later one.
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

  /// Pays a claim out to the first receiver that proves that it knows the secret.
  ///
  /// - Throws: `VaultRefusal`, `VaultStoreError`.
  public func claim(_ claimID: ClaimID, for receiver: Address, proof: [UInt8]) async throws -> SignedReceipt {
    try await pay(claimID, for: receiver, proof: proof).receipt
  }

  /// Does the same, and returns whether it was done now.
  public func pay(_ claimID: ClaimID, for receiver: Address, proof: [UInt8]) async throws -> PayoutResult {
    try await carryOut {
      switch try rules.claim(for: receiver, proof: proof, try await store.rows(of: claimID)) {
      case .answer(let receipt): .answer(PayoutResult(receipt: receipt, isNew: false))
      case .change(let change): .change(change)
      }
    } answer: {
      $0.claim.flatMap(rules.receipt).map { PayoutResult(receipt: $0, isNew: true) }
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
  /// - Parameter id: an id that the client drew. A request with the same id is a repeat.
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

  /// Returns what anybody may see of a claim.
  ///
  /// - Throws: `VaultRefusal.unknownClaim`, `VaultStoreError`.
  public func view(_ name: ClaimName) async throws -> ClaimView {
    try await view(claimID(name), askedBy: name)
  }

  /// Returns the same, without looking up the claim's id again, for a caller that reads a claim repeatedly.
  public func view(_ claimID: ClaimID, askedBy name: ClaimName) async throws -> ClaimView {
    let rows = try await store.rows(of: claimID)
    return ClaimView(try rules.found(rows), askedBy: name, at: rows.now)
  }

  /// Returns the id under which the store has a claim. Does not check that a claim of an id exists.
  ///
  /// - Throws: `VaultRefusal.unknownClaim` for a ledger id under which nothing was deposited, `VaultStoreError`.
  public func claimID(_ name: ClaimName) async throws -> ClaimID {
    switch name {
    case .claimID(let id): return id
    case .ledgerID(let ledgerID):
      guard let id = try await store.claimID(of: ledgerID) else { throw rules.unknownClaim() }
      return id
    }
  }

  /// How many times a change is decided at most. A claim has only three transitions; more attempts than that are for an
  /// account whose sender makes other changes at the same time.
  private static let attempts = 32

  /// Decides, and carries the change out. Decides again if the rows changed in between.
  private func carryOut<Answer>(
    _ decide: () async throws -> Decision<Answer>, answer: (Committed) -> Answer?
  ) async throws -> Answer {
    for _ in 0..<Self.attempts {
      switch try await decide() {
      case .answer(let answer): return answer
      case .change(let change):
        guard let committed = try await store.commit(change) else { continue }
        if committed.entry != nil, let claim = committed.claim { changed(claim.claimID) }
        if let answer = answer(committed) { return answer }
      }
    }
    throw VaultRefusal(.busy, "the claim or the account kept changing meanwhile", remedy: "Try again")
  }
}
