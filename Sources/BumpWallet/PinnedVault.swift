public import BumpClaims

/// A vault whose domains are known and stay as they are. What is signed is signed for one of these.
public struct PinnedVault: Hashable, Sendable {
  public let vault: VaultDescription
  /// The vault's own domain: `ClaimVault`, `1`.
  public let domain: Domain
  /// The tokens' domains, by their contracts.
  private let tokens: [Address: Domain]

  /// Pins a vault as it described itself. A person confirms it first.
  ///
  /// - Throws: `WalletError.chain` unless its chain is one for embedded vaults: for a public chain nothing is signed on
  ///   the word of a server.
  public init(confirmed description: VaultDescription) throws(WalletError) {
    try EmbeddedChain.check(description.chainID)
    self.init(configured: description)
  }

  /// Pins a vault by one's own configuration, on any chain.
  public init(configured description: VaultDescription) {
    vault = description
    domain = Domain(
      name: "ClaimVault", version: "1", chainID: description.chainID, verifyingContract: description.address)
    tokens = description.tokens.reduce(into: [:]) { domains, token in
      domains[token.address] = Domain(
        name: token.domainName, version: token.domainVersion, chainID: description.chainID,
        verifyingContract: token.address)
    }
  }

  /// Compares what the vault says of itself now. Tokens that are new to it are no change: nothing is signed for them.
  ///
  /// - Throws: `WalletError.changedVault` where its chain, its address or a pinned token is another now, or gone.
  public func check(_ current: VaultDescription) throws(WalletError) {
    guard
      current.chainID == vault.chainID, current.address == vault.address,
      vault.tokens.allSatisfy(current.tokens.contains)
    else {
      throw WalletError(.changedVault, "the vault is not the one that was confirmed: its chain or addresses changed")
    }
  }

  /// The contract of a token.
  ///
  /// - Throws: `WalletError.token` where there is none.
  public func contract(of token: Token) throws(WalletError) -> Address {
    guard let contract = vault.tokens.first(where: { $0.token == token }) else { throw Self.unknownToken }
    return contract.address
  }

  /// The message that pays a claim to a receiver.
  ///
  /// - Throws: `WalletError.receiver` for the zero address, the vault or the token, `WalletError.token` for another token
  ///   than the vault's.
  public func payout(of terms: ClaimTerms, to receiver: Address) throws(WalletError) -> Payout {
    guard tokens[terms.token] != nil else { throw Self.unknownToken }
    guard ![.zero, vault.address, terms.token].contains(receiver) else {
      throw WalletError(.receiver, "the receiver is a person's address, not zero, the vault's or the token's")
    }
    return Payout(ledgerID: terms.ledgerID, receiver: receiver, domain: domain)
  }

  /// The message that lets the vault take a claim's amount from its sender.
  ///
  /// - Parameter validBefore: from when on it is worth nothing; the vault's clock says so.
  /// - Throws: `WalletError.token` for another token than the vault's.
  public func deposit(
    of terms: ClaimTerms, from sender: Address, validBefore: Expiry
  ) throws(WalletError) -> DepositAuthorization {
    guard let domain = tokens[terms.token] else { throw Self.unknownToken }
    return DepositAuthorization(
      from: sender, to: vault.address, value: terms.amount, validBefore: validBefore, nonce: terms.ledgerID,
      domain: domain)
  }

  private static let unknownToken = WalletError(.token, "the vault does not hold that token")
}
