public import BumpClaims
public import BumpWallet

/// The part of a claim that the vault shows to anybody who knows its id or its ledger id. It leaves out the sender's
/// address: with it, a person who was offered a claim could read the sender's history.
public struct ClaimView: Hashable, Sendable {
  /// The claim's id; `nil` if the client asked by the ledger id, which must not reveal it.
  public let claimID: ClaimID?
  /// The claim's terms, from which anybody can compute the ledger id.
  public let terms: ClaimTerms
  /// The claim's status. An expired claim is `pending` until it is refunded; its `event` is `expired`.
  public let status: ClaimStatus
  /// The latest event of the claim.
  public let event: ClaimEvent
  /// The hash of the journal entry that made the claim final; `nil` until then. On a chain, that of the transaction that
  /// brought the claim into this state, or is to lock its amount.
  public let transaction: Bytes32?
  /// When the claim became final, in seconds since 1970; `nil` until then.
  public let time: Int64?
  /// The address that was paid; `nil` for a refund, and until the claim is final.
  public let receiver: Address?
  /// The chain's block that brought the claim into this state; `nil` for an embedded vault, and for a draft.
  public let inclusion: Inclusion?
  /// The vault's time when it read this state, in seconds since 1970.
  public let now: Int64

  /// - Parameters:
  ///   - name: the name by which the client asked.
  ///   - now: the time in seconds since 1970, by which the expiry is judged.
  public init(_ claim: ClaimRecord, askedBy name: ClaimName, at now: Int64) {
    claimID = if case .claimID(let id) = name { id } else { nil }
    (terms, status, self.now) = (claim.terms, claim.status, now)
    event = ClaimEvent(status, isExpired: claim.terms.expiry.hasPassed(at: now))
    let settlement = claim.settlement
    (transaction, time) = (settlement?.transaction, settlement?.time)
    receiver = settlement.flatMap { $0.outcome == .claimed ? $0.receiver : nil }
    inclusion = nil
  }

  /// Makes the view of a claim on a chain.
  ///
  /// - Parameters:
  ///   - status: the status at a level that is said: what is not confirmed is not in it.
  ///   - isSubmitted: whether the deposit of a claim without another status is carried.
  ///   - settled: when the claim became final, and the address that was paid; `nil` for what is not settled.
  ///   - now: the chain's time in seconds since 1970, by which the expiry is judged.
  package init(
    claimID: ClaimID?, terms: ClaimTerms, status: ClaimStatus, isSubmitted: Bool, transaction: Bytes32?,
    settled: (time: Int64, receiver: Address?)?, in inclusion: Inclusion?, at now: Int64
  ) {
    (self.claimID, self.terms, self.status, self.now) = (claimID, terms, status, now)
    event =
      isSubmitted && status == .none
      ? .submitted : ClaimEvent(status, isExpired: terms.expiry.hasPassed(at: now))
    (self.transaction, self.inclusion) = (transaction, inclusion)
    (time, receiver) = (settled?.time, settled?.receiver)
  }

  /// The name of the state, as the API shows it.
  public var statusName: String { event == .submitted ? event.rawValue : status.rawValue }

  /// Whether a change took back what an earlier view showed: a reorganization did.
  public func takesBack(_ earlier: ClaimView) -> Bool {
    switch earlier.status {
    case .none: false
    case .pending: status == .none
    case .claimed, .refunded: status != earlier.status || receiver != earlier.receiver
    }
  }
}

/// An event that is sent to watchers of a claim.
public enum ClaimEvent: String, Hashable, Sendable, CaseIterable {
  /// A draft without a deposit; one whose deposit a chain has yet to confirm; an amount that is locked, and can be
  /// claimed.
  case none, submitted, pending
  /// Still pending, but too late to claim. The store has no row for this event: it follows from the time.
  case expired
  /// A receiver was paid; the sender was paid back. No event follows.
  case claimed, refunded

  init(_ status: ClaimStatus, isExpired: Bool) {
    switch status {
    case .none: self = .none
    case .pending: self = isExpired ? .expired : .pending
    case .claimed: self = .claimed
    case .refunded: self = .refunded
    }
  }
}
