/// An EIP-712 domain: the contract and the chain for which a signature is made. It is not valid elsewhere.
public struct Domain: Hashable, Sendable {
  /// The name of the contract or protocol, such as `ClaimVault` or `USD Coin`.
  public let name: String
  /// The version of the contract's signed messages, such as `1`. It is text, not a number.
  public let version: String
  /// The id of the contract's chain (EIP-155); for an embedded vault, one of `EmbeddedChain`.
  public let chainID: UInt64
  /// The address of the contract that checks the signature: the vault's, or the token's.
  public let verifyingContract: Address
  /// hashStruct(eip712Domain).
  public let separator: Bytes32

  /// Makes a domain, and computes its separator.
  public init(name: String, version: String, chainID: UInt64, verifyingContract: Address) {
    (self.name, self.version, self.chainID, self.verifyingContract) = (name, version, chainID, verifyingContract)
    separator = Keccak256.hash(
      ABI.encode([
        Self.typeHash, Keccak256.hash(name.utf8), Keccak256.hash(version.utf8), .word(chainID),
        .word(verifyingContract),
      ]))
  }

  private static let typeHash = Keccak256.hash(
    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)".utf8)
}
