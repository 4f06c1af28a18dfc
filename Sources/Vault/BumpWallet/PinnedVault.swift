public import BumpClaims

/// A vault whose domains are known and do not change. Claims and deposits are signed only for such a vault.
public struct PinnedVault: Hashable, Sendable {
  /// The description by which the vault was pinned.
  public let vault: VaultDescription
  /// The vault's own domain: `ClaimVault`, `1`.
  public let domain: Domain
  /// The tokens' domains, by the address of the contract.
  private let tokens: [Address: Domain]

  /// Pins a vault by its own description, which a person has confirmed, or by the user's own configuration where that
  /// names its contract.
  ///
  /// - Throws: `WalletError.chain` for a contract on another chain than a test chain that the configuration does not name,
  ///   `WalletError.changedVault` where the two contradict each other.
  public init(_ description: VaultDescription, among contracts: [KnownContract]) throws(WalletError) {
    guard let known = contracts.first(where: { $0.isMeant(by: description) }) else {
      try self.init(confirmed: description)
      return
    }
    self.init(configured: try known.checked(description))
  }

  /// Pins a vault by its own description, which a person has confirmed.
  ///
  /// - Throws: `WalletError.chain` unless its chain is one for embedded vaults: nothing is signed for a public chain
  ///   only because a server names it.
  public init(confirmed description: VaultDescription) throws(WalletError) {
    try EmbeddedChain.check(description.chainID)
    self.init(configured: description)
  }

  /// Pins a vault by the user's own configuration, on any chain.
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

  /// Compares the vault's present description with the pinned one. A new token is no change: nothing is signed for it.
  ///
  /// - Throws: `WalletError.changedVault` if the chain, the address, the receipt key, the code or a pinned token is
  ///   different or missing.
  public func check(_ current: VaultDescription) throws(WalletError) {
    guard
      current.chainID == vault.chainID, current.address == vault.address,
      current.receiptKey == vault.receiptKey, current.codeHash == vault.codeHash,
      vault.tokens.allSatisfy(current.tokens.contains)
    else {
      throw WalletError(
        .changedVault, "the vault is not the one that was confirmed: its chain, addresses or code changed")
    }
  }

  /// Returns the address of a token's contract.
  ///
  /// - Throws: `WalletError.token` if the vault does not hold the token.
  public func contract(of token: Token) throws(WalletError) -> Address {
    guard let contract = vault.tokens.first(where: { $0.token == token }) else { throw Self.unknownToken }
    return contract.address
  }

  /// Returns the message that pays a claim to a receiver.
  ///
  /// - Throws: `WalletError.receiver` for the zero address, the vault or the token, `WalletError.token` for a token
  ///   that the vault does not hold.
  public func payout(of terms: ClaimTerms, to receiver: Address) throws(WalletError) -> Payout {
    guard tokens[terms.token] != nil else { throw Self.unknownToken }
    guard ![.zero, vault.address, terms.token].contains(receiver) else {
      throw WalletError(.receiver, "the receiver must be a person's address: it is zero, the vault's or the token's")
    }
    return Payout(ledgerID: terms.ledgerID, receiver: receiver, domain: domain)
  }

  /// Returns the message that lets the vault take a claim's amount from its sender.
  ///
  /// - Parameter validBefore: the time from which the message is no longer valid, by the vault's clock.
  /// - Throws: `WalletError.token` for a token that the vault does not hold.
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
