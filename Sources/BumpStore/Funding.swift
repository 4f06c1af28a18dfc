/// What is known of a claim's money at a vault. The vault's words are kept as they came: BumpVaultClient reads them.
public struct Funding: Hashable, Sendable {
  /// Where the money stands, as far as the vault has said.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// The vault may have been asked to lock the amount, or to pay it here, and its answer is not known.
    case asked
    /// It is certain that the vault did nothing of what it was asked for.
    case refused
    /// The amount is locked.
    case pending
    /// The amount was paid to a receiver.
    case claimed
    /// The amount is the sender's again.
    case refunded

    /// Whether nothing can follow.
    public var isFinal: Bool { self == .claimed || self == .refunded }
  }

  /// The vault's URL.
  public let vault: String
  /// By which the vault's ledger names the claim.
  public let ledgerID: String
  public var status: Status
  /// The address of the wallet here that pays or is to be paid; `nil` where none was asked for.
  public var account: String?
  /// The body of the request that is asked again where its answer was lost.
  public var request: String?
  /// Of the last movement of the money.
  public var transaction: String?
  /// The address that was paid.
  public var receiver: String?
  /// The vault's signed word, JSON.
  public var receipt: String?
  /// Seconds since 1970.
  public var updatedAt: Int64

  public init(
    vault: String, ledgerID: String, status: Status, account: String? = nil, request: String? = nil,
    transaction: String? = nil, receiver: String? = nil, receipt: String? = nil, updatedAt: Int64
  ) {
    (self.vault, self.ledgerID, self.status, self.account) = (vault, ledgerID, status, account)
    (self.request, self.transaction, self.receiver, self.receipt) = (request, transaction, receiver, receipt)
    self.updatedAt = updatedAt
  }

  /// Whether another state may take the place of this one.
  ///
  /// What is final stays, and gets its receipt where it had none: what a vault has signed takes the place of its mere
  /// word. A deposit that was asked for is not asked for with another authorization before the first one is certain to be
  /// refused: both might be carried out.
  func mayBecome(_ next: Funding, _ direction: ClaimStore.Direction) -> Bool {
    switch (status, next.status) {
    case (.claimed, _), (.refunded, _):
      receipt == nil && isSame(as: next) && (next.status == status || next.status.isFinal && next.receipt != nil)
    case (.refused, _): true
    case (.asked, .asked) where direction == .outgoing: isSame(as: next) && next.request == request
    case (.asked, .pending) where direction == .incoming: false
    case (.pending, .asked), (.pending, .refused): direction == .incoming && isSame(as: next)
    default: isSame(as: next)
    }
  }

  private func isSame(as other: Funding) -> Bool { vault == other.vault && ledgerID == other.ledgerID }
}
