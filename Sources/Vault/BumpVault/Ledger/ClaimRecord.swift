public import BumpClaims
public import BumpWallet

/// A claim as the vault keeps it.
public struct ClaimRecord: Hashable, Sendable {
  /// The claim's public id, by which clients ask for it.
  public let claimID: ClaimID
  /// The claim's terms, the same in every state.
  public let terms: ClaimTerms
  /// The claim's state, with the deposit and the settlement as far as there are any.
  public let state: State

  /// The state of a claim. Each transition happens once.
  public enum State: Hashable, Sendable {
    /// No money yet. The draft, made at this time in seconds since 1970, lapses some time later.
    case draft(since: Int64)
    /// The amount is locked.
    case pending(Deposit)
    /// The amount was paid out, to a receiver or back to the sender.
    case settled(Deposit, Settlement)
  }

  /// How the amount came into the vault.
  public struct Deposit: Hashable, Sendable {
    /// The sender's authorization, by which a repeated deposit is recognized.
    public let authorization: SenderAuthorization
    /// The hash of the deposit's journal entry.
    public let transaction: Bytes32
    /// When the deposit was made, in seconds since 1970.
    public let time: Int64

    /// Makes a deposit. Hash and time are those of its journal entry.
    public init(authorization: SenderAuthorization, transaction: Bytes32, time: Int64) {
      (self.authorization, self.transaction, self.time) = (authorization, transaction, time)
    }
  }

  /// How the amount left the vault.
  public struct Settlement: Hashable, Sendable {
    /// Whether the claim was paid to a receiver or back to its sender.
    public let outcome: SettlementOutcome
    /// The address that was paid: the sender's, for a refund.
    public let receiver: Address
    /// The hash of the journal entry that paid the amount out.
    public let transaction: Bytes32
    /// When the amount was paid out, in seconds since 1970.
    public let time: Int64

    /// Makes a settlement. Hash and time are those of its journal entry.
    public init(outcome: SettlementOutcome, receiver: Address, transaction: Bytes32, time: Int64) {
      (self.outcome, self.receiver, self.transaction, self.time) = (outcome, receiver, transaction, time)
    }
  }

  /// Makes a claim of its stored values. Checks nothing.
  public init(claimID: ClaimID, terms: ClaimTerms, state: State) {
    (self.claimID, self.terms, self.state) = (claimID, terms, state)
  }

  /// The name of the state, as the API shows it. Expiry does not change it.
  public var status: ClaimStatus {
    switch state {
    case .draft: .none
    case .pending: .pending
    case .settled(_, let settlement): settlement.outcome == .claimed ? .claimed : .refunded
    }
  }

  /// The claim's deposit; `nil` for a draft.
  public var deposit: Deposit? {
    switch state {
    case .draft: nil
    case .pending(let deposit), .settled(let deposit, _): deposit
    }
  }

  /// How the claim was settled; `nil` until it is final.
  public var settlement: Settlement? {
    if case .settled(_, let settlement) = state { settlement } else { nil }
  }

  /// Returns whether this is a draft that has lapsed: its id is free again.
  ///
  /// - Parameters:
  ///   - now: the time in seconds since 1970.
  ///   - lifetime: how long a draft lasts, in seconds.
  public func hasLapsed(at now: Int64, lifetime: Int64) -> Bool {
    if case .draft(let since) = state { now - since >= lifetime } else { false }
  }

  func moved(to state: State) -> Self { Self(claimID: claimID, terms: terms, state: state) }
}

/// A sender's authorization to take a claim's amount: an EIP-3009 authorization without the fields that follow from the
/// claim.
public struct SenderAuthorization: Hashable, Sendable {
  /// The address whose balance pays, and whose key must have signed.
  public let sender: Address
  /// The time from which the authorization is no longer valid.
  public let validBefore: Expiry
  /// The signature as the client sent it; it may be malformed.
  public let bytes: [UInt8]

  /// Makes an authorization. Checks neither the signature nor the time.
  public init(sender: Address, validBefore: Expiry, bytes: [UInt8]) {
    (self.sender, self.validBefore, self.bytes) = (sender, validBefore, bytes)
  }
}
