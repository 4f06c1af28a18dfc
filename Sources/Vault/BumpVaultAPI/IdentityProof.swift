import BumpClaims
public import BumpWallet

/// A vault's proof of who it is and where: its signature over a client's nonce, its own origin and its description.
///
/// A server that relays the description of another vault has no key to make one for its own origin, so nothing that is
/// signed for the one can be led to the other.
public struct IdentityProof: Hashable, Sendable {
  /// The 32 bytes that the client drew for this request.
  public let nonce: Bytes32
  /// The URL at which the vault is to be found, by its own configuration.
  public let origin: VaultURL
  /// The signature of the message `Vault` by the vault's receipt key.
  public let signature: Signature

  /// Makes the proof of the vault with this key, which must be its receipt key.
  public init(
    _ vault: VaultDescription, hasFaucet: Bool, at origin: VaultURL, nonce: Bytes32, by key: PrivateKey
  ) {
    let message = SelfDescription(vault: vault, hasFaucet: hasFaucet, origin: origin, nonce: nonce)
    self.init(nonce: nonce, origin: origin, signature: key.sign(message.digest))
  }

  /// Makes the proof that a client read. Checks nothing.
  init(nonce: Bytes32, origin: VaultURL, signature: Signature) {
    (self.nonce, self.origin, self.signature) = (nonce, origin, signature)
  }

  /// Returns whether the vault of a description made this proof, with this faucet flag.
  public func isMade(by vault: VaultDescription, hasFaucet: Bool) -> Bool {
    SelfDescription(vault: vault, hasFaucet: hasFaucet, origin: origin, nonce: nonce)
      .isSigned(by: vault.receiptKey, signature)
  }
}

/// The message `Vault(bytes32 nonce,string origin,Token[] tokens,bool faucet,address receiptKey)` in the vault's domain,
/// with a `Token(address token,string symbol,uint8 decimals,string name,string version)` for each token of its
/// description, in their order. `name` and `version` are those of the token's own domain.
struct SelfDescription: TypedData {
  let vault: VaultDescription
  let hasFaucet: Bool
  let origin: VaultURL
  let nonce: Bytes32

  var domain: Domain { PinnedVault(configured: vault).domain }

  private static let tokenType =
    "Token(address token,string symbol,uint8 decimals,string name,string version)"
  private static let tokenTypeHash = Keccak256.hash(tokenType.utf8)
  static let typeHash = Keccak256.hash(
    ("Vault(bytes32 nonce,string origin,Token[] tokens,bool faucet,address receiptKey)" + tokenType).utf8)

  /// The members.
  var words: [Bytes32] {
    [
      nonce, Keccak256.hash(origin.description.utf8), Self.hash(vault.tokens.map(Self.hash)),
      .word(hasFaucet ? 1 : 0 as UInt64), .word(vault.receiptKey),
    ]
  }

  private static func hash(_ token: TokenContract) -> Bytes32 {
    hash([
      tokenTypeHash, .word(token.address), Keccak256.hash(token.token.description.utf8),
      .word(UInt64(TokenContract.decimals)), Keccak256.hash(token.domainName.utf8),
      Keccak256.hash(token.domainVersion.utf8),
    ])
  }

  private static func hash(_ words: [Bytes32]) -> Bytes32 { Keccak256.hash(words.flatMap(\.bytes)) }
}

extension TokenContract {
  /// The decimals of every token: bump counts amounts in millionths.
  package static let decimals = Int64(String(Amount.scale).count - 1)
}
