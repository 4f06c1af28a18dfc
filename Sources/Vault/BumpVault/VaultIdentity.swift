public import BumpClaims
public import BumpWallet
import Crypto
import Glibc

/// The identity of a vault to its clients: its chain, the key that signs its receipts, that key's address, and its
/// tokens.
///
/// The vault's address is its key's. So a client that has pinned the address has pinned the key, and the signer of a
/// receipt proves it.
public struct VaultIdentity: Equatable, Sendable {
  /// The key that signs receipts.
  public let key: PrivateKey
  /// The domains in which claims and deposits are signed.
  public let vault: PinnedVault

  /// - Throws: `WalletError.chain` for a chain that is not reserved for embedded vaults, `WalletError.vault` if
  ///   addresses or tokens coincide.
  public init(
    chainID: UInt64 = EmbeddedChain.local, key: PrivateKey, tokens: [TokenContract]
  ) throws(WalletError) {
    self.key = key
    vault = try PinnedVault(
      confirmed: VaultDescription(chainID: chainID, address: key.address, tokens: tokens))
  }

  /// Draws a key and, for each token, the address of its contract. A store does this once, when it is made.
  ///
  /// - Parameter tokens: the symbol of each token, and the name and version of its contract's domain.
  public static func draw(
    chainID: UInt64 = EmbeddedChain.local, tokens: [(token: Token, domainName: String, domainVersion: String)],
    using generator: inout some RandomNumberGenerator
  ) throws(WalletError) -> Self {
    let key = drawKey(using: &generator)
    var contracts: [TokenContract] = []
    for (token, name, version) in tokens {
      guard let address = Address(generator.bytes(20)) else { preconditionFailure("an address is 20 bytes") }
      contracts.append(TokenContract(token: token, address: address, domainName: name, domainVersion: version))
    }
    return try Self(chainID: chainID, key: key, tokens: contracts)
  }

  /// Draws a vault for test money in US dollars, on the chain id for vaults without a chain.
  @Sendable public static func drawUSDC() throws(WalletError) -> Self {
    var generator = SystemRandomNumberGenerator()
    return try draw(tokens: [(.usdc, "USD Coin", "2")], using: &generator)
  }

  /// Returns the vault for a copy of this vault's store: it has another key and address, and the same tokens.
  public func copied() throws(WalletError) -> Self {
    var generator = SystemRandomNumberGenerator()
    return try copied(using: &generator)
  }

  /// Returns the same, with a key from a generator.
  public func copied(using generator: inout some RandomNumberGenerator) throws(WalletError) -> Self {
    try Self(chainID: vault.vault.chainID, key: Self.drawKey(using: &generator), tokens: vault.vault.tokens)
  }

  /// The vault's address, which is its key's.
  public var address: Address { vault.vault.address }

  private static func drawKey(using generator: inout some RandomNumberGenerator) -> PrivateKey {
    var uniform = generator.bytes(PrivateKey.uniformCount)
    defer { explicit_bzero(&uniform, uniform.count) }
    return PrivateKey(uniform: SymmetricKey(data: uniform))
  }
}
