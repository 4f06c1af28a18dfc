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

  /// Makes a token's contract. `VaultDescription` checks its address.
  public init(token: Token, address: Address, domainName: String, domainVersion: String) {
    (self.token, self.address) = (token, address)
    (self.domainName, self.domainVersion) = (domainName, domainVersion)
  }
}
