/// An EIP-712 domain: the contract and the chain for which a signature is made. It is not valid elsewhere.
public struct Domain: Hashable, Sendable {
  public let name: String
  public let version: String
  public let chainID: UInt64
  public let verifyingContract: Address
  /// hashStruct(eip712Domain).
  public let separator: Bytes32

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
