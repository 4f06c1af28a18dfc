public import BumpVaultAPI
public import BumpWallet

/// A vault's first statement about itself, and the text of it, which is kept once a person has confirmed it.
public struct VaultIntroduction: Hashable, Sendable {
  /// The statement, read from `text`.
  public let statement: VaultStatement
  /// The statement as the vault sent it, in JSON.
  public let text: String

  /// - Throws: `RequestError` if the text is not a vault's statement.
  public init(_ text: String) throws(RequestError) {
    statement = try VaultStatement(Array(text.utf8))
    self.text = text
  }

  /// Returns the vault, once a person has confirmed it at a URL.
  ///
  /// - Parameter contracts: the contracts that the user's configuration names.
  /// - Throws: `WalletError.chain` if it names a contract on a chain that may be a public one, and the configuration does
  ///   not; `WalletError.changedVault` if it describes a configured contract otherwise.
  public func trusted(at url: VaultURL, among contracts: [KnownContract] = []) throws(WalletError) -> TrustedVault {
    TrustedVault(try PinnedVault(statement.vault, among: contracts), hasFaucet: statement.hasFaucet, at: url)
  }
}
