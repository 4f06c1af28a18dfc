/// What a vault says of itself, or a configuration says of it: all that its domains are made of.
///
/// Every token lies on the vault's own chain: there is no way to say otherwise.
public struct VaultDescription: Hashable, Sendable {
  public let chainID: UInt64
  public let address: Address
  public let tokens: [TokenContract]

  /// - Throws: `WalletError.vault` where an address is zero, or two are the same, or two tokens have one symbol.
  public init(chainID: UInt64, address: Address, tokens: [TokenContract]) throws(WalletError) {
    let addresses = [address] + tokens.map(\.address)
    guard !addresses.contains(.zero), Set(addresses).count == addresses.count else {
      throw WalletError(.vault, "the vault and its tokens have an address each, none of them zero")
    }
    guard Set(tokens.map(\.token)).count == tokens.count else {
      throw WalletError(.vault, "the vault has two tokens of one name")
    }
    (self.chainID, self.address, self.tokens) = (chainID, address, tokens)
  }
}
