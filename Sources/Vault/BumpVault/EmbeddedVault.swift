public import BumpClaims
public import BumpWallet

/// The vault that holds the money in a store of its own. Everything is done at once.
public struct EmbeddedVault: VaultBackend {
  private var vault: Vault
  private let store: any VaultStore

  /// - Parameter store: the vault's own store.
  public init(_ vault: Vault, on store: any VaultStore) {
    (self.vault, self.store) = (vault, store)
  }

  public var pinned: PinnedVault { vault.rules.identity.vault }
  public var limits: VaultLimits { vault.rules.limits }
  /// The key of the vault's address.
  public var receiptKey: PrivateKey { vault.rules.identity.key }

  public func notifying(_ changed: @escaping @Sendable (ClaimID) -> Void) -> Self {
    var other = self
    other.vault.changed = changed
    return other
  }

  public func repeated(_ claimID: ClaimID, _ terms: ClaimTerms) async throws -> ClaimRecord? {
    let rows = try await store.rows(of: claimID)
    return if case .answer(let claim)? = try? vault.rules.draft(claimID, terms, rows) { claim } else { nil }
  }

  public func draft(_ claimID: ClaimID, _ terms: ClaimTerms) async throws -> ClaimRecord {
    try await vault.draft(claimID, terms)
  }

  public func terms(of claimID: ClaimID) async throws -> ClaimTerms? { try await store.rows(of: claimID).claim?.terms }

  public func isDeposited(_ claimID: ClaimID) async throws -> Bool {
    try await store.rows(of: claimID).claim?.deposit != nil
  }

  public func authorization(ofDeposit claimID: ClaimID) async throws -> SenderAuthorization? {
    let found = try await store.rows(of: claimID).claim
    guard let claim = found, claim.deposit == nil, let other = try await store.claimID(of: claim.terms.ledgerID) else {
      return found?.deposit?.authorization
    }
    return try await store.rows(of: other).claim?.deposit?.authorization
  }

  public func deposit(
    _ claimID: ClaimID, _ authorization: SenderAuthorization
  ) async throws -> VaultOutcome<ClaimRecord> {
    .done(try await vault.deposit(claimID, authorization))
  }

  public func pay(
    _ claimID: ClaimID, for receiver: Address, proof: [UInt8]
  ) async throws -> VaultOutcome<PayoutResult> {
    .done(try await vault.pay(claimID, for: receiver, proof: proof))
  }

  public func refund(_ claimID: ClaimID) async throws -> VaultOutcome<SignedReceipt> {
    .done(try await vault.refund(claimID))
  }

  public func mint(
    _ id: Bytes32, _ amount: Amount, of token: Address, to receiver: Address
  ) async throws -> JournalEntry {
    try await vault.mint(id, amount, of: token, to: receiver)
  }

  public func claimID(_ name: ClaimName) async throws -> ClaimID { try await vault.claimID(name) }

  public func view(_ claimID: ClaimID, askedBy name: ClaimName) async throws -> ClaimView {
    try await vault.view(claimID, askedBy: name)
  }

  public func balances(of account: Address) async throws -> [Address: Int64] { try await store.balances(of: account) }

  public func history(of account: Address, before number: Int64?, limit: Int) async throws -> [NumberedEntry] {
    try await store.history(of: account, before: number, limit: limit)
  }

  public func readiness() async throws -> StoreTime {
    _ = try await store.identity()
    return try await store.currentTime()
  }
}
