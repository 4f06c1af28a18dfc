/// A description of a vault, by the vault itself or by a configuration: everything that its domains are made from.
///
/// Every token is on the vault's own chain: a description cannot name another.
public struct VaultDescription: Hashable, Sendable {
  /// The id of the vault's chain. It is not checked here: `PinnedVault.init(confirmed:)` does that.
  public let chainID: UInt64
  /// The vault's address, which is its contract's on a chain, and its key's for an embedded vault.
  public let address: Address
  /// The tokens that the vault holds. No two have the same symbol or address.
  public let tokens: [TokenContract]
  /// The address of the key that signs receipts and the proof of the vault's identity: of an embedded vault its own.
  public let receiptKey: Address
  /// keccak256 of the contract's code; `nil` for an embedded vault, which has no contract.
  public let codeHash: Bytes32?

  /// Makes a description.
  ///
  /// - Parameter receiptKey: `nil` for the vault's own address.
  /// - Throws: `WalletError.vault` if an address is zero, or two are the same, or two tokens have the same symbol.
  public init(
    chainID: UInt64, address: Address, tokens: [TokenContract], receiptKey: Address? = nil, codeHash: Bytes32? = nil
  ) throws(WalletError) {
    let addresses = [address] + tokens.map(\.address)
    guard !addresses.contains(.zero), Set(addresses).count == addresses.count else {
      throw WalletError(.vault, "the vault or one of its tokens has the address zero, or two of them have the same")
    }
    guard Set(tokens.map(\.token)).count == tokens.count else {
      throw WalletError(.vault, "the vault has two tokens with the same symbol")
    }
    guard receiptKey != .zero else { throw WalletError(.vault, "the address of the vault's receipt key is zero") }
    (self.chainID, self.address, self.tokens) = (chainID, address, tokens)
    (self.receiptKey, self.codeHash) = (receiptKey ?? address, codeHash)
  }

  /// Whether the vault is a contract on a chain, and not one with a ledger of its own.
  public var isContract: Bool { codeHash != nil }
}
