public import BumpVaultAPI
public import BumpWallet

/// What a vault said of itself when it was asked first, and its text, which is kept once a person has confirmed it.
public struct VaultIntroduction: Hashable, Sendable {
  public let statement: VaultStatement
  /// JSON, as it came.
  public let text: String

  /// - Throws: `RequestError` where it is no vault's.
  public init(_ text: String) throws(RequestError) {
    statement = try VaultStatement(Array(text.utf8))
    self.text = text
  }

  /// The vault, once a person has confirmed it.
  ///
  /// - Throws: `WalletError.chain` where it names a chain that may be a public one.
  public func pinned() throws(WalletError) -> PinnedVault { try PinnedVault(confirmed: statement.vault) }
}
