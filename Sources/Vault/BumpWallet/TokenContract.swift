public import BumpClaims

/// The contract of a token that a vault holds. Its chain is the vault's.
public struct TokenContract: Hashable, Sendable {
  /// The token's name in claims.
  public let token: Token
  /// The contract's address, by which terms and balances name the token.
  public let address: Address
  /// The name in the contract's EIP-712 domain. It may differ from the token's: on Base it is `USD Coin`.
  public let domainName: String
  /// The version in the contract's EIP-712 domain: `2` for USDC on Base.
  public let domainVersion: String
  /// keccak256 of the contract's code; `nil` for a token of an embedded vault, which is in its ledger alone.
  public let codeHash: Bytes32?

  /// Makes a token's contract. `VaultDescription` checks its address.
  public init(token: Token, address: Address, domainName: String, domainVersion: String, codeHash: Bytes32? = nil) {
    (self.token, self.address, self.codeHash) = (token, address, codeHash)
    (self.domainName, self.domainVersion) = (domainName, domainVersion)
  }
}
