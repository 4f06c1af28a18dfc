public import BumpClaims
public import BumpWallet

/// A claim as the vault keeps it.
public struct ClaimRecord: Hashable, Sendable {
  /// The claim's public name, by which clients ask.
  public let claimID: ClaimID
  public let terms: ClaimTerms
  public let state: State

  /// Where a claim is in its life. Each transition happens once.
  public enum State: Hashable, Sendable {
    /// No money yet. The draft lapses some time after it was made.
    case draft(since: Int64)
    /// The amount is locked.
    case pending(Deposit)
    /// The amount was paid out, to a receiver or back to the sender.
    case settled(Deposit, Settlement)
  }

  /// How the amount came into the vault.
  public struct Deposit: Hashable, Sendable {
    public let authorization: SenderAuthorization
    /// The hash of its journal entry.
    public let transaction: Bytes32
    /// Seconds since 1970.
    public let time: Int64

    public init(authorization: SenderAuthorization, transaction: Bytes32, time: Int64) {
      (self.authorization, self.transaction, self.time) = (authorization, transaction, time)
    }
  }

  /// How the amount left the vault.
  public struct Settlement: Hashable, Sendable {
    public let outcome: SettlementOutcome
    /// The person who was paid: the sender, for a refund.
    public let receiver: Address
    /// The hash of its journal entry.
    public let transaction: Bytes32
    /// Seconds since 1970.
    public let time: Int64

    public init(outcome: SettlementOutcome, receiver: Address, transaction: Bytes32, time: Int64) {
      (self.outcome, self.receiver, self.transaction, self.time) = (outcome, receiver, transaction, time)
    }
  }

  public init(claimID: ClaimID, terms: ClaimTerms, state: State) {
    (self.claimID, self.terms, self.state) = (claimID, terms, state)
  }

  public var status: ClaimStatus {
    switch state {
    case .draft: .none
    case .pending: .pending
    case .settled(_, let settlement): settlement.outcome == .claimed ? .claimed : .refunded
    }
  }

  /// `nil` for a draft.
  public var deposit: Deposit? {
    switch state {
    case .draft: nil
    case .pending(let deposit), .settled(let deposit, _): deposit
    }
  }

  /// `nil` until the claim is final.
  public var settlement: Settlement? {
    if case .settled(_, let settlement) = state { settlement } else { nil }
  }

  /// Whether this is a draft that has lapsed: its id is free again.
  ///
  /// - Parameter lifetime: a draft's, in seconds.
  public func hasLapsed(at now: Int64, lifetime: Int64) -> Bool {
    if case .draft(let since) = state { now - since >= lifetime } else { false }
  }

  func moved(to state: State) -> Self { Self(claimID: claimID, terms: terms, state: state) }
}

/// Where a claim stands, by the contract's names.
public enum ClaimStatus: String, Hashable, Sendable, CaseIterable {
  /// A draft without a deposit.
  case none
  case pending, claimed, refunded
}

/// The two ways in which a claim ends.
public enum SettlementOutcome: String, Hashable, Sendable, CaseIterable {
  case claimed, refunded
}

/// A sender's word that the vault may take a claim's amount: an EIP-3009 authorization without what follows from the
/// claim.
public struct SenderAuthorization: Hashable, Sendable {
  public let sender: Address
  /// From then on it is worth nothing.
  public let validBefore: Expiry
  /// The signature, as it came: it may not be one.
  public let bytes: [UInt8]

  public init(sender: Address, validBefore: Expiry, bytes: [UInt8]) {
    (self.sender, self.validBefore, self.bytes) = (sender, validBefore, bytes)
  }
}
