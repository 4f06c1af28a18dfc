public import BumpClaims

/// EIP-3009's `ReceiveWithAuthorization` in a token's domain. It allows a vault, and nobody else, to take a claim's
/// amount from its sender, once. `PinnedVault.deposit(of:from:validBefore:)` makes it.
public struct DepositAuthorization: TypedData, Hashable, Sendable {
  /// The sender, who owns the money and signs.
  public let from: Address
  /// The vault's address.
  public let to: Address
  /// The claim's whole amount, which is signed in base units.
  public let value: Amount
  /// The time from which the authorization is no longer valid.
  public let validBefore: Expiry
  /// The ledger id of the claim's terms, so that the authorization is only for this claim.
  public let nonce: Bytes32
  /// The token's domain.
  public let domain: Domain

  init(from: Address, to: Address, value: Amount, validBefore: Expiry, nonce: Bytes32, domain: Domain) {
    (self.from, self.to, self.value) = (from, to, value)
    (self.validBefore, self.nonce, self.domain) = (validBefore, nonce, domain)
  }

  public static let typeHash = Keccak256.hash(
    """
    ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,\
    bytes32 nonce)
    """.utf8)

  /// The members. validAfter is 0: the authorization may be used at once.
  public var words: [Bytes32] {
    [.word(from), .word(to), .word(value), .word(0 as UInt64), .word(validBefore), nonce]
  }

  /// Returns whether a signature is the sender's, of this message.
  public func isAuthorized(by signature: Signature) -> Bool { isSigned(by: from, signature) }
}
