public import BumpClaims

/// The vault's statement of how a claim ended: the EIP-712 message `Receipt(bytes32 claimId,bool refunded,address
/// token,uint256 amount,address receiver,bytes32 transaction,uint256 time)` in the vault's domain.
public struct Receipt: TypedData, Hashable, Sendable {
  /// The claim's ledger id.
  public let ledgerID: Bytes32
  /// How the claim ended: the message's `refunded`.
  public let outcome: SettlementOutcome
  /// The address of the token's contract.
  public let token: Address
  /// The claim's whole amount, which is signed in base units.
  public let amount: Amount
  /// The address that was paid; zero for a refund, since anybody may ask for one, and must not learn who sent the
  /// claim.
  public let receiver: Address
  /// The hash of the journal entry that ended the claim.
  public let transaction: Bytes32
  /// When the claim ended, in seconds since 1970.
  public let time: Int64
  /// The vault's domain.
  public let domain: Domain

  /// Makes a receipt of its values. Checks nothing.
  package init(
    ledgerID: Bytes32, outcome: SettlementOutcome, token: Address, amount: Amount, receiver: Address,
    transaction: Bytes32, time: Int64, domain: Domain
  ) {
    (self.ledgerID, self.outcome, self.token, self.amount) = (ledgerID, outcome, token, amount)
    (self.receiver, self.transaction, self.time, self.domain) = (receiver, transaction, time, domain)
  }

  public static let typeHash = Keccak256.hash(
    """
    Receipt(bytes32 claimId,bool refunded,address token,uint256 amount,address receiver,bytes32 transaction,\
    uint256 time)
    """.utf8)

  public var words: [Bytes32] {
    [
      ledgerID, .word(outcome == .refunded ? 1 : 0 as UInt64), .word(token), .word(UInt64(amount.baseUnits)),
      .word(receiver), transaction, .word(UInt64(time)),
    ]
  }
}

/// A receipt with the vault's signature: a `Receipt` of an embedded vault, or a `ChainReceipt`. As long as the vault's key
/// stays the same, so does an embedded claim's signed receipt.
public struct SignedReceipt: Hashable, Sendable {
  /// The message that is signed, or of a `ChainReceipt` the members that every receipt has.
  public let receipt: Receipt
  /// The block that ended the claim; `nil` for an embedded vault's receipt.
  public let inclusion: Inclusion?
  /// The signature by the vault's receipt key. A client must check it with `isSigned(by:)`.
  public let signature: Signature

  /// Makes a signed receipt of its values. `isSigned(by:)` checks the signature.
  package init(_ receipt: Receipt, in inclusion: Inclusion? = nil, signature: Signature) {
    (self.receipt, self.inclusion, self.signature) = (receipt, inclusion, signature)
  }

  /// Returns whether the vault with this receipt key signed the receipt, as the message that it is.
  public func isSigned(by vault: Address) -> Bool {
    guard let inclusion else { return receipt.isSigned(by: vault, signature) }
    return ChainReceipt(receipt, in: inclusion).isSigned(by: vault, signature)
  }

  /// Whether nothing can undo what the receipt says: it is an embedded vault's, or its block is final.
  public var isFinal: Bool { inclusion.map { $0.level == .finalized } ?? true }
}
