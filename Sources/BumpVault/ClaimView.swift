public import BumpClaims
public import BumpWallet

/// What anybody may see of a claim who knows its id or its ledger id. The sender's address is not in it: a person who was offered a claim
/// could read the sender's history by it.
public struct ClaimView: Hashable, Sendable {
  /// `nil` for whoever asked by the ledger id, which tells nobody the claim's id.
  public let claimID: ClaimID?
  public let terms: ClaimTerms
  public let status: ClaimStatus
  /// What the last thing was that happened to the claim.
  public let event: ClaimEvent
  /// The hash of the journal entry that made the claim final.
  public let transaction: Bytes32?
  /// When it became final, in seconds since 1970.
  public let time: Int64?
  /// The person who was paid; `nil` for a refund.
  public let receiver: Address?

  /// - Parameters:
  ///   - name: what was asked by.
  ///   - now: seconds since 1970.
  public init(_ claim: ClaimRecord, askedBy name: ClaimName, at now: Int64) {
    claimID = if case .claimID(let id) = name { id } else { nil }
    (terms, status) = (claim.terms, claim.status)
    event = ClaimEvent(status, isExpired: claim.terms.expiry.hasPassed(at: now))
    let settlement = claim.settlement
    (transaction, time) = (settlement?.transaction, settlement?.time)
    receiver = settlement.flatMap { $0.outcome == .claimed ? $0.receiver : nil }
  }
}

/// What watchers of a claim are told.
public enum ClaimEvent: String, Hashable, Sendable, CaseIterable {
  case none, pending
  /// Still pending, and no longer to be taken. No row says so: time does.
  case expired
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
