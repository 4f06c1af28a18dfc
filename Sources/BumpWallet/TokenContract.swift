public import BumpClaims

/// The contract of a token that a vault holds, without its chain, which is the vault's.
public struct TokenContract: Hashable, Sendable {
  /// As claims name it.
  public let token: Token
  public let address: Address
  /// Of the contract's EIP-712 domain. It need not be the token's: on Base it is `USD Coin`.
  public let domainName: String
  public let domainVersion: String

  public init(token: Token, address: Address, domainName: String, domainVersion: String) {
    (self.token, self.address) = (token, address)
    (self.domainName, self.domainVersion) = (domainName, domainVersion)
  }
}
