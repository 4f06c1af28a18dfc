public import BumpClaims
public import BumpVaultAPI

/// The reason why the money of a claim is not locked, paid or refunded, or why that is not known; or why a vault cannot be
/// confirmed. Errors are equal if their codes are.
public struct FundingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error. More may be added: keep a `default` case.
  public struct Code: Hashable, Sendable {
    private enum Kind: Hashable {
      case expiresTooSoon, lockedExpiresTooSoon, expired, unknownToken, notPayable, otherProcess, idTaken, notLocked,
        nothingLocked, nothingToRefund, denied, secondReceipt, settled, takenBack, noReceipt, perhapsLocked,
        depositOpen, depositUnknown, claimed, notExpired, handedOver, inFlight, perhapsRefunded, notFunded,
        perhapsPaid, vault, damagedDeposit, noVault, unknownVault, damagedVault, otherVault, vaultElsewhere,
        sharedToken, unnamedContract, noContract, submitted
    }
    private let kind: Kind

    // Before a claim is handed over

    /// The claim has too little time left for its receiver to claim it, and no money of it is locked. `claim` is `nil` if
    /// no claim was made.
    public static let expiresTooSoon = Code(kind: .expiresTooSoon)
    /// The claim has too little time left for its receiver to claim it, and its money is locked, or may be.
    public static let lockedExpiresTooSoon = Code(kind: .lockedExpiresTooSoon)
    /// The vault does not hold the claim's token.
    public static let unknownToken = Code(kind: .unknownToken)
    /// Another process of this store asks a vault about the same claim.
    public static let otherProcess = Code(kind: .otherProcess)
    /// Somebody else has used the claim's id at the vault. No money of this store is locked under it, nor will be.
    public static let idTaken = Code(kind: .idTaken)
    /// Nothing is locked: `failure` says why.
    public static let notLocked = Code(kind: .notLocked)
    /// Nothing is locked for the claim, and no deposit was requested.
    public static let nothingLocked = Code(kind: .nothingLocked)
    /// It is not known whether the money is locked. Until `time` the vault may lock it: lock it again, which sends the
    /// same request. With an `amount`, the request was lost with the store that was restored from a backup: make another
    /// claim, and refund this one after `time`.
    public static let perhapsLocked = Code(kind: .perhapsLocked)
    /// The vault has accepted the deposit, and says now that it does not know the claim.
    public static let denied = Code(kind: .denied)
    /// The money was claimed or refunded before, by the vault's receipt.
    public static let settled = Code(kind: .settled)
    /// The money was taken back by its sender, or is being taken back.
    public static let takenBack = Code(kind: .takenBack)
    /// The vault says that the money was claimed or refunded, and shows no receipt.
    public static let noReceipt = Code(kind: .noReceipt)
    /// The store's record of the deposit is damaged.
    public static let damagedDeposit = Code(kind: .damagedDeposit)

    // Refunds, and taking money back

    /// Nothing is locked for the claim, so there is nothing to refund.
    public static let nothingToRefund = Code(kind: .nothingToRefund)
    /// It is not known whether anything is locked. Until `time` the vault may lock it, so it is not refunded before.
    public static let depositOpen = Code(kind: .depositOpen)
    /// It is not known whether anything is locked, since the vault does not say so.
    public static let depositUnknown = Code(kind: .depositUnknown)
    /// The money was claimed by a receiver, by the vault's receipt.
    public static let claimed = Code(kind: .claimed)
    /// The claim has not expired by the vault's clock. `time` is its expiry, in seconds since 1970.
    public static let notExpired = Code(kind: .notExpired)
    /// Somebody may have the claim or its link, so that taking its money back needs the consent of its owner.
    public static let handedOver = Code(kind: .handedOver)
    /// A receiver may still take the claim, until `time`, so that its money is not taken back before.
    public static let inFlight = Code(kind: .inFlight)
    /// It is not known whether the money was refunded, or taken back. Ask again: nothing is paid twice.
    public static let perhapsRefunded = Code(kind: .perhapsRefunded)

    // Payouts

    /// The claim cannot be paid at this vault, or to this receiver.
    public static let notPayable = Code(kind: .notPayable)
    /// The claim has expired, or its sender has the amount again.
    public static let expired = Code(kind: .expired)
    /// The vault holds nothing for the claim.
    public static let notFunded = Code(kind: .notFunded)
    /// It is not known whether the receiver was paid. Ask again: nothing is paid twice.
    public static let perhapsPaid = Code(kind: .perhapsPaid)

    // Chains

    /// The request is carried by a transaction that the chain has not confirmed yet. Ask again with the same request.
    public static let submitted = Code(kind: .submitted)

    // Vaults

    /// The vault did not do what it was asked: `failure` says why.
    public static let vault = Code(kind: .vault)
    /// The vault has signed two receipts for one claim. The first is kept.
    public static let secondReceipt = Code(kind: .secondReceipt)
    /// No vault was asked for the claim's money.
    public static let noVault = Code(kind: .noVault)
    /// The claim's vault is not confirmed in this store any more.
    public static let unknownVault = Code(kind: .unknownVault)
    /// The vault is a contract that the user's configuration does not name, or describes otherwise; or neither that nor a
    /// confirmed vault names one.
    public static let unnamedContract = Code(kind: .unnamedContract)
    /// The vault is no contract: its operator holds the money.
    public static let noContract = Code(kind: .noContract)
    /// The store's record of a confirmed vault is damaged.
    public static let damagedVault = Code(kind: .damagedVault)
    /// The vault is another than the one that was confirmed at `other`, from where it was said to have moved.
    public static let otherVault = Code(kind: .otherVault)
    /// The vault was confirmed at the URL `other`.
    public static let vaultElsewhere = Code(kind: .vaultElsewhere)
    /// The vault uses the address or a token of another vault, which was confirmed at the URL `other`.
    public static let sharedToken = Code(kind: .sharedToken)
  }

  /// The kind of error, the only part that `==` compares.
  public let code: Code
  /// What failed, for a person.
  public let reason: String
  /// What to try, as a sentence; `nil` if the reason says it, or nothing helps.
  public let remedy: String?
  /// The claim's id; `nil` if the error is not about a claim that was made.
  public let claim: ClaimID?
  /// The claim's amount, if another claim of that amount and `token` would help.
  public let amount: Amount?
  /// The claim's token, where there is an `amount`.
  public let token: Token?
  /// The vault that was asked.
  public let vault: VaultURL?
  /// The URL of another confirmation, as the store has it.
  public let other: String?
  /// When to try again, in seconds since 1970; `nil` if the time does not matter, or has come.
  public let time: Int64?
  /// What the vault answered, or why it gave no answer.
  public let failure: VaultFailure?

  init(
    _ code: Code, _ reason: String, remedy: String? = nil, claim: ClaimID? = nil, amount: Amount? = nil,
    token: Token? = nil, vault: VaultURL? = nil, other: String? = nil, time: Int64? = nil,
    failure: VaultFailure? = nil
  ) {
    (self.code, self.reason, self.remedy) = (code, reason, remedy)
    (self.claim, self.amount, self.token) = (claim, amount, token)
    (self.vault, self.other, self.time, self.failure) = (vault, other, time, failure)
  }

  /// The error for a vault that did not do what it was asked.
  init(_ failure: VaultFailure, at vault: VaultURL, about claim: ClaimID) {
    self.init(
      .vault, failure.reason, remedy: failure.remedy, claim: claim, vault: vault, failure: failure)
  }

  /// Returns the error for a request that a transaction carries, which the chain has not confirmed; `nil` for another
  /// failure.
  static func submitted(_ failure: VaultFailure, _ what: String, _ claim: ClaimID, _ vault: VaultURL) -> Self? {
    guard failure.code == .submitted, let transaction = failure.transaction else { return nil }
    return Self(
      .submitted, "\(what) is carried by the transaction \(transaction), and not confirmed yet",
      remedy: "Ask again later. Nothing is paid twice", claim: claim, vault: vault, failure: failure)
  }

  /// The reason, followed by the remedy as its own sentence.
  public var description: String { remedy.map { "\(reason). \($0)" } ?? reason }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension FundingError {
  static func noVault(_ claim: ClaimID) -> FundingError {
    FundingError(.noVault, "claim \(claim) has no vault, so no money of it is locked", claim: claim)
  }

  static func settled(_ claim: ClaimID, _ vault: VaultURL) -> FundingError {
    FundingError(
      .settled, "claim \(claim) was paid or refunded, by a receipt of its vault",
      remedy: "Look what the store says about the claim", claim: claim, vault: vault)
  }

  static func otherProcess(_ claim: ClaimID, _ vault: VaultURL) -> FundingError {
    FundingError(
      .otherProcess, "another process has changed what the store has about the money of claim \(claim)",
      remedy: "Look what the store says about the claim", claim: claim, vault: vault)
  }
}
