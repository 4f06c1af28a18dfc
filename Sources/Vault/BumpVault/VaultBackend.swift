public import BumpClaims
public import BumpWallet

/// What becomes of a request that moves money.
public enum VaultOutcome<Value: Sendable>: Sendable {
  /// It was carried out, now or before, and is durable.
  case done(Value)
  /// A transaction of this hash carries it to a chain, which confirms it later, or refuses it.
  case submitted(Bytes32)
}

/// A vault as its HTTP service needs it: one that holds the money in a store of its own, or one that carries signed
/// requests to a contract.
///
/// Every request may be repeated: if it was carried out before, the vault gives the same answer, and does nothing. Each
/// call throws `VaultRefusal` if the vault refuses the request, and `VaultStoreError` if it cannot say what was done.
public protocol VaultBackend: Sendable {
  /// The chain, address and tokens of the vault, with the domains in which is signed for it.
  var pinned: PinnedVault { get }
  /// The vault's limits.
  var limits: VaultLimits { get }
  /// What a vault on a chain tells its clients beside its description; `nil` for an embedded vault.
  var chain: ChainTerms? { get }
  /// The key that signs receipts and the proof of the vault's identity. All servers of a vault have the same.
  var receiptKey: PrivateKey { get }

  /// Returns the same vault, which also calls a function with each claim whose money it has moved, once that is durable.
  /// A repeat moves none.
  func notifying(_ changed: @escaping @Sendable (ClaimID) -> Void) -> Self

  /// Returns the claim if a draft with these terms was stored before, in whatever state it is now.
  ///
  /// - Returns: `nil` if there is none, or if another claim has the id.
  func repeated(_ claimID: ClaimID, _ terms: ClaimTerms) async throws -> ClaimRecord?
  /// Stores a claim without money.
  func draft(_ claimID: ClaimID, _ terms: ClaimTerms) async throws -> ClaimRecord
  /// Returns the terms of a claim; `nil` if there is no such claim.
  func terms(of claimID: ClaimID) async throws -> ClaimTerms?
  /// Returns whether the money of a claim is or was in the vault.
  func isDeposited(_ claimID: ClaimID) async throws -> Bool
  /// Returns the authorization by which a claim's amount was deposited, under this id or another one of equal terms.
  func authorization(ofDeposit claimID: ClaimID) async throws -> SenderAuthorization?

  /// Locks a claim's amount.
  func deposit(_ claimID: ClaimID, _ authorization: SenderAuthorization) async throws -> VaultOutcome<ClaimRecord>
  /// Pays a claim out to the first receiver that proves that it knows the secret.
  func pay(
    _ claimID: ClaimID, for receiver: Address, proof: [UInt8]
  ) async throws -> VaultOutcome<PayoutResult>
  /// Pays an expired claim back to its sender.
  func refund(_ claimID: ClaimID) async throws -> VaultOutcome<SignedReceipt>
  /// Makes test money. A vault on a chain makes none.
  func mint(_ id: Bytes32, _ amount: Amount, of token: Address, to receiver: Address) async throws -> JournalEntry

  /// Returns the id under which the vault has a claim. Does not check that a claim of an id exists.
  func claimID(_ name: ClaimName) async throws -> ClaimID
  /// Returns what anybody may see of a claim.
  ///
  /// - Parameter name: the name by which the client asked.
  func view(_ claimID: ClaimID, askedBy name: ClaimName) async throws -> ClaimView
  /// Returns an account's balances by token, without those that are zero.
  func balances(of account: Address) async throws -> [Address: Int64]
  /// Returns an account's entries, the latest first.
  ///
  /// - Parameters:
  ///   - number: only entries before this one are returned; `nil` for the latest.
  ///   - limit: the greatest number of entries to return.
  func history(of account: Address, before number: Int64?, limit: Int) async throws -> [NumberedEntry]
  /// Returns the vault's time, if it can answer requests.
  func readiness() async throws -> StoreTime
}

extension VaultBackend {
  public var chain: ChainTerms? { nil }
}
