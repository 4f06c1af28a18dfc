/// What is known about a claim's money at a vault. Texts from the vault are kept as received: BumpVaultClient reads
/// them.
public struct Funding: Hashable, Sendable {
  /// The state of the money, as far as the vault has reported it.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// The vault may have been asked to lock the amount, or to pay it to this wallet, and its answer is unknown.
    case asked
    /// The vault certainly did not do what it was asked.
    case refused
    /// The amount is locked.
    case pending
    /// The sender takes the locked amount back before the claim expires: the vault may have been asked to pay it to the
    /// wallet that locked it. Only of a claim made here.
    case takingBack
    /// The amount was paid to a receiver, by the vault's receipt.
    case claimed
    /// The amount was returned to the sender, by the vault's receipt.
    case refunded

    /// Whether the claim has ended, by the vault's receipt.
    public var isSettled: Bool { self == .claimed || self == .refunded }
  }

  /// What a vault on a chain has signed, or said, about how sure the state is.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// The receipt is of a block that a reorganization of the chain may still undo. The vault is asked again.
    case confirmed
    /// The receipt is of a final block.
    case finalized
    /// A reorganization took back a payment or a refund for which there was a receipt.
    case undone
  }

  /// The vault's URL.
  public let vault: String
  /// The claim's id in the vault's ledger.
  public let ledgerID: String
  /// The state of the money.
  public var status: Status
  /// The address of the wallet here that pays or is to be paid; `nil` if there is none.
  public var account: String?
  /// The body of the request, to be sent again if its answer was lost; `nil` also where it was lost with the store that
  /// the backup was of.
  public var request: String?
  /// The transaction of the last movement of the money.
  public var transaction: String?
  /// The address that was paid: of a claim made here that of the wallet itself, if the amount was taken back.
  public var receiver: String?
  /// The vault's signed receipt, JSON. A final state has one: what a vault says without it is not stored.
  public var receipt: String?
  /// How sure the state is on a chain; `nil` for an embedded vault, and where nothing was settled.
  public var level: Level?
  /// The vault's time at which it held the amount, before the payout was requested first, in seconds since 1970; `nil` if
  /// it did not say so, and for a deposit. A payment before that time is another's.
  public var heldAt: Int64?
  /// When the record was written, in seconds since 1970.
  public var updatedAt: Int64

  /// Makes a record.
  public init(
    vault: String, ledgerID: String, status: Status, account: String? = nil, request: String? = nil,
    transaction: String? = nil, receiver: String? = nil, receipt: String? = nil, level: Level? = nil,
    heldAt: Int64? = nil, updatedAt: Int64
  ) {
    (self.vault, self.ledgerID, self.status, self.account) = (vault, ledgerID, status, account)
    (self.request, self.transaction, self.receiver, self.receipt) = (request, transaction, receiver, receipt)
    (self.level, self.heldAt, self.updatedAt) = (level, heldAt, updatedAt)
  }

  /// Whether no other state can follow: the claim has ended, and nothing can undo that.
  public var isFinal: Bool { status.isSettled && level != .confirmed }

  /// Whether the claim has ended in a block that may still be undone.
  public var mayBeUndone: Bool { status.isSettled && level == .confirmed }

  /// Whether the amount of a claim made here was paid back to the wallet that had locked it, by the vault's receipt.
  public var isTakenBack: Bool { status == .claimed && receiver != nil && receiver == account }

  /// Whether a claim made here is worth nothing to a receiver, since its sender takes the amount back, or has: it is not
  /// handed over any more.
  public var forbidsHandover: Bool { status == .takingBack || isTakenBack }

  /// Returns whether another record may replace this one.
  ///
  /// A final record is never replaced, and requires a signed receipt: other answers may be forged. A deposit
  /// that was requested is not requested with another authorization before the first one was certainly refused: both
  /// might be carried out. So a refusal counts only if it is of the request that is recorded.
  func mayBecome(_ next: Funding, _ direction: ClaimStore.Direction) -> Bool {
    guard !isFinal, !next.status.isSettled || next.receipt != nil else { return false }
    if mayBeUndone { return isSame(as: next) && (next.status.isSettled || mayBeUndone(into: next, direction)) }
    return switch (status, next.status) {
    // The vault may have been asked: only how that ended may follow, or the claim would be handed over again.
    case (.takingBack, _): (next.status == .takingBack || next.status.isSettled) && isSame(as: next)
    case (_, .takingBack): direction == .outgoing && status == .pending && isSame(as: next)
    case (.refused, _): true
    case (.asked, .asked) where direction == .outgoing, (.asked, .refused) where direction == .outgoing:
      isSame(as: next) && next.request == request
    case (.asked, .pending) where direction == .incoming: false
    // Of a received claim the vault's word alone says so, and another vault may be asked for the money.
    case (.pending, .asked) where direction == .incoming: true
    case (.pending, .asked), (.pending, .refused): direction == .incoming && isSame(as: next)
    default: isSame(as: next)
    }
  }

  /// Returns whether a reorganization leads from this payment or refund to another record. A claim that is being taken
  /// back stays so: otherwise it would be handed over again.
  private func mayBeUndone(into next: Funding, _ direction: ClaimStore.Direction) -> Bool {
    guard next.level == .undone else { return false }
    switch direction {
    case .outgoing: return next.status == (isTakenBack ? .takingBack : .pending)
    case .incoming: return next.status == .pending || next.status == .refused
    }
  }

  private func isSame(as other: Funding) -> Bool { vault == other.vault && ledgerID == other.ledgerID }
}
