/// A message for signing by EIP-712: a struct, in a domain. Members that are longer than a word are hashed.
public protocol TypedData {
  /// keccak256(encodeType): the hash of the struct's name and its members' types and names.
  static var typeHash: Bytes32 { get }
  /// encodeData: the members in their order.
  var words: [Bytes32] { get }
  /// The domain in which the message is signed.
  var domain: Domain { get }
}

extension TypedData {
  /// The digest to sign: keccak256(`19 01` ‖ domainSeparator ‖ hashStruct(message)).
  public var digest: Bytes32 {
    let hashStruct = Keccak256.hash(ABI.encode([Self.typeHash] + words))
    return Keccak256.hash([0x19, 0x01] + domain.separator.bytes + hashStruct.bytes)
  }

  /// Returns whether an address's key made a signature of this message. For the zero address it is always `false`.
  public func isSigned(by signer: Address, _ signature: Signature) -> Bool { signature.signer(of: digest) == signer }
}
