public import BumpClaims

/// The contract of a token that a vault holds. Its chain is the vault's.
public struct TokenContract: Hashable, Sendable {
  /// The token's name in claims.
  public let token: Token
  public let address: Address
  /// The name in the contract's EIP-712 domain. It may differ from the token's: on Base it is `USD Coin`.
  public let domainName: String
  public let domainVersion: String

  public init(token: Token, address: Address, domainName: String, domainVersion: String) {
    (self.token, self.address) = (token, address)
    (self.domainName, self.domainVersion) = (domainName, domainVersion)
  }
}
