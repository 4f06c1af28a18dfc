/// The status of a claim, by the contract's names.
public enum ClaimStatus: String, Hashable, Sendable, CaseIterable {
  /// A draft without a deposit.
  case none
  /// The amount is locked; was paid to a receiver; was paid back to the sender. The last two are final.
  case pending, claimed, refunded
}

/// The two ways in which a claim ends.
public enum SettlementOutcome: String, Hashable, Sendable, CaseIterable {
  /// Paid to a receiver before the expiry; paid back to the sender from the expiry on.
  case claimed, refunded
}
