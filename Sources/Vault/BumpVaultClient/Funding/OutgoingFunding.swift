public import BumpClaims
public import BumpStore
import BumpVaultAPI
public import BumpWallet

/// The money of a claim made here, at a vault: locked before the claim is handed over, watched, and got back: refunded after
/// the claim's expiry, or taken back before it. Each request is recorded in the store before it is sent, and repeated as it was if its answer was lost.
public struct OutgoingFunding: Sendable {
  /// The claim.
  public let claim: OutgoingClaim
  /// The vault that holds the money, or is to hold it.
  public let vault: ConfirmedVault
  let store: ClaimStore
  /// The claim's terms at the vault.
  public let terms: ClaimTerms

  /// The id of the claim's terms at the vault, which says nothing of the claim's own id.
  public var ledgerID: Bytes32 { terms.ledgerID }

  var id: ClaimID { claim.claim.id }
  var now: Int64 { vault.client.now() }

  /// Makes the money of a claim at a vault. `of(_:at:in:by:)` finds the vault that was asked before: a deposit must not be
  /// requested of two.
  ///
  /// - Throws: `FundingError.unknownToken` if the vault does not hold the claim's token.
  public init(_ claim: OutgoingClaim, at vault: ConfirmedVault, in store: ClaimStore) throws(FundingError) {
    (self.claim, self.vault, self.store) = (claim, vault, store)
    terms = try Self.terms(of: claim.claim, expiry: claim.expiry, at: vault)
  }

  /// Returns the money of a claim. If a vault was asked to lock the money, it stays with that vault, whatever vault is
  /// named now.
  ///
  /// - Parameter named: the vault for a claim without money; `nil` for none.
  /// - Returns: `nil` if the claim has no vault, and none is named.
  /// - Throws: `FundingError`, `StoreError`.
  public static func of(
    _ claim: OutgoingClaim, at named: ConfirmedVault?, in store: ClaimStore,
    by connector: VaultConnector = VaultConnector()
  ) async throws -> OutgoingFunding? {
    let funding = try await store.funding(of: claim.claim, .outgoing)
    if let funding, named == nil || funding.status != .refused {
      return try OutgoingFunding(claim, at: try await ConfirmedVault.of(claim, in: store, by: connector), in: store)
    }
    return try named.map { (vault) throws(FundingError) in try OutgoingFunding(claim, at: vault, in: store) }
  }

  /// Makes a claim whose money the vault is to lock. The store records from the start that nothing is locked yet:
  /// otherwise, after a crash or a refusal, the claim would be handed over as one that needs no vault.
  ///
  /// - Parameters:
  ///   - expiry: the claim's expiry. Vaults take whole minutes.
  ///   - margin: how much time the claim must have left.
  /// - Throws: `FundingError.unknownToken`, or `.expiresTooSoon`; `StoreError`. Then no claim is made.
  public static func make(
    _ amount: Amount, _ token: Token, expiry: Expiry, at vault: ConfirmedVault,
    leaving margin: ExpiryMargin = .standard, in store: ClaimStore
  ) async throws -> OutgoingFunding {
    let now = vault.client.now()
    guard margin.isLeft(before: expiry, at: now) else {
      throw FundingError(
        .expiresTooSoon, "the claim expires within \(margin): too little for its receiver to claim it",
        remedy: "Give it more time", vault: vault.url)
    }
    let claim = try await store.create(amount: amount, token: token, expiry: expiry, at: now) { claim in
      let terms = try terms(of: claim, expiry: expiry, at: vault)
      return Funding(
        vault: vault.url.description, ledgerID: terms.ledgerID.description, status: .refused, updatedAt: now)
    }
    return try OutgoingFunding(claim, at: vault, in: store)
  }

  private static func terms(
    of claim: Claim, expiry: Expiry, at vault: ConfirmedVault
  ) throws(FundingError) -> ClaimTerms {
    do {
      return try ClaimTerms(claim, expiry: expiry, at: vault.vault)
    } catch {
      throw FundingError(.unknownToken, "the vault \(vault.url) does not hold \(claim.token)", vault: vault.url)
    }
  }

  /// Returns what the store has about the money.
  func recorded() async throws -> Funding? { try await store.funding(of: claim.claim, .outgoing) }

  /// Records what is known about the money, and returns what the store has then: the new record, or one that it may not
  /// replace.
  func note(
    _ status: Funding.Status, account: String? = nil, request: String? = nil, transaction: Bytes32? = nil,
    receiver: Address? = nil, receipt: SignedReceipt? = nil, level: Funding.Level? = nil
  ) async throws -> Funding {
    let next = try await next(
      status, account: account, request: request, transaction: transaction, receiver: receiver, receipt: receipt,
      level: level)
    return try await store.note(next, of: claim.claim, expiry: claim.expiry, .outgoing)
  }

  /// Returns a record of the money. What is not given is as the store has it, but the receiver and the receipt.
  func next(
    _ status: Funding.Status, account: String? = nil, request: String? = nil, transaction: Bytes32? = nil,
    receiver: Address? = nil, receipt: SignedReceipt? = nil, level: Funding.Level? = nil
  ) async throws -> Funding {
    let before = try await recorded()
    return Funding(
      vault: vault.url.description, ledgerID: terms.ledgerID.description, status: status,
      account: account ?? before?.account, request: request ?? before?.request,
      transaction: transaction.map(\.description) ?? before?.transaction, receiver: receiver?.description,
      receipt: receipt?.json.text, level: level ?? receipt?.level, updatedAt: now)
  }

  /// Records how the claim ended, if the vault says that it has and shows the receipt. The word alone is not recorded:
  /// nobody has signed it, and a claim that counts as final is asked about no more, nor is its refund advised.
  ///
  /// - Returns: the receipt; `nil` if there is none.
  func record(_ status: ClaimStatus, within limit: Duration) async throws -> SignedReceipt? {
    guard status == .claimed || status == .refunded else { return nil }
    guard let receipt = try await vault.receipt(of: terms, within: limit) else { return nil }
    try await keep(receipt)
    return receipt
  }

  /// Records a receipt.
  ///
  /// - Throws: `FundingError.secondReceipt` if it contradicts the recorded one; `StoreError`.
  func keep(_ receipt: SignedReceipt) async throws {
    let said = receipt.receipt
    let kept = try await note(
      said.outcome == .claimed ? .claimed : .refunded, transaction: said.transaction,
      receiver: said.outcome == .claimed ? said.receiver : nil, receipt: receipt)
    try kept.check(receipt, of: id, by: vault.url)
  }

  /// Requests a deposit again whose answer is not known, with the same request.
  func again(_ request: String) async throws -> DepositOutcome {
    do {
      return try await vault.client.run(
        DepositSession(again: request, of: id, terms, at: vault.vault), within: vault.limit)
    } catch let error as RequestError {
      throw FundingError(
        .damagedDeposit, "the store's record of the deposit of claim \(id) is damaged: \(error.reason)", claim: id,
        vault: vault.url)
    }
  }

  /// Returns until when a recorded deposit could be carried out; `nil` if the request is damaged.
  static func end(ofAuthorizationIn request: String) -> Expiry? {
    try? DepositRequest(Array(request.utf8)).validBefore
  }
}
