public import BumpClaims

/// EIP-3009's `ReceiveWithAuthorization` in a token's domain: lets a vault, and nobody else, take a claim's amount from its
/// sender, once. `PinnedVault.deposit(of:from:validBefore:)` makes it.
public struct DepositAuthorization: TypedData, Hashable, Sendable {
  /// Whose money it is, and whose key signs.
  public let from: Address
  /// The vault.
  public let to: Address
  public let value: Amount
  /// From then on it is worth nothing.
  public let validBefore: Expiry
  /// The claim's `ledgerID`: so it is for this claim and its terms alone.
  public let nonce: Bytes32
  /// The token's.
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

  /// validAfter is 0: it may be used at once.
  public var words: [Bytes32] {
    [.word(from), .word(to), .word(value), .word(0 as UInt64), .word(validBefore), nonce]
  }

  /// Whether the sender signed it.
  public func isAuthorized(by signature: Signature) -> Bool { isSigned(by: from, signature) }
}
