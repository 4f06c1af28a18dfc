/// A vault's contract as the user's own configuration names it. On a public chain nothing is signed for another one.
public struct KnownContract: Hashable, Sendable {
  /// The contract, its code and its tokens. Its `receiptKey` is the contract's address where the configuration names none.
  public let vault: VaultDescription
  /// The receipt key that the configuration names; `nil` if the one is good that was confirmed on first use.
  public let receiptKey: Address?

  /// - Throws: `WalletError.vault` if the contract or a token has no hash of its code, or if addresses coincide.
  public init(
    chainID: UInt64, address: Address, codeHash: Bytes32, receiptKey: Address?, tokens: [TokenContract]
  ) throws(WalletError) {
    guard !tokens.isEmpty, tokens.allSatisfy({ $0.codeHash != nil }) else {
      throw WalletError(.vault, "a contract needs a token, and the code hash of each")
    }
    vault = try VaultDescription(chainID: chainID, address: address, tokens: tokens, codeHash: codeHash)
    self.receiptKey = receiptKey
  }

  /// Returns whether a description is of a contract of this chain and address.
  public func isMeant(by description: VaultDescription) -> Bool {
    description.isContract && description.chainID == vault.chainID && description.address == vault.address
  }

  /// Compares the description that a server gives with this configuration.
  ///
  /// - Returns: the description by which the vault is pinned: with the tokens of the configuration alone.
  /// - Throws: `WalletError.changedVault` if the code, the receipt key or a token is different or missing.
  public func checked(_ description: VaultDescription) throws(WalletError) -> VaultDescription {
    guard
      isMeant(by: description), description.codeHash == vault.codeHash,
      receiptKey == nil || receiptKey == description.receiptKey,
      vault.tokens.allSatisfy(description.tokens.contains)
    else {
      throw WalletError(.changedVault, "the vault describes its contract otherwise than your configuration does")
    }
    return try VaultDescription(
      chainID: vault.chainID, address: vault.address, tokens: vault.tokens, receiptKey: description.receiptKey,
      codeHash: vault.codeHash)
  }
}
