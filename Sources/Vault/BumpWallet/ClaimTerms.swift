public import BumpClaims

/// The terms of a claim in a vault. Its ledger id follows from them, so nobody can occupy an id with other terms.
public struct ClaimTerms: Hashable, Sendable {
  /// The hash that proves the claim's secret: `ClaimKey.secretHash`.
  public let secretHash: Bytes32
  /// The address of the token's contract.
  public let token: Address
  /// The amount, which the ledger id contains in base units.
  public let amount: Amount
  /// The time from which the claim is the sender's again.
  public let expiry: Expiry

  /// Makes terms. Whether a vault accepts them is for the vault to say.
  public init(secretHash: Bytes32, token: Address, amount: Amount, expiry: Expiry) {
    (self.secretHash, self.token, self.amount, self.expiry) = (secretHash, token, amount, expiry)
  }

  /// The claim's id in ledgers: keccak256(abi.encode(bytes32 secretHash, address token, uint256 amount, uint256
  /// expiry)).
  public var ledgerID: Bytes32 {
    Keccak256.hash(ABI.encode([secretHash, .word(token), .word(amount), .word(expiry)]))
  }
}
