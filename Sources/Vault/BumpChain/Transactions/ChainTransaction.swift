public import BumpWallet

/// A transaction with a maximum fee and a priority fee (EIP-1559), without an access list.
public struct ChainTransaction: Hashable, Sendable {
  /// The id of the chain (EIP-155). The signature is valid on no other.
  public let chainID: UInt64
  /// The number of transactions that the sender made before this one.
  public let nonce: UInt64
  /// The fees.
  public let fees: Fees
  /// The most gas that it may use.
  public let gasLimit: UInt64
  /// The account or contract to call; `nil` to make a contract.
  public let to: Address?
  /// The amount of the chain's own coin to send, in wei.
  public let value: UInt128
  /// The calldata, or the code that makes a contract.
  public let data: [UInt8]

  /// Makes a transaction of its values.
  public init(
    chainID: UInt64, nonce: UInt64, fees: Fees, gasLimit: UInt64, to: Address?, value: UInt128 = 0, data: [UInt8]
  ) {
    (self.chainID, self.nonce, self.fees, self.gasLimit) = (chainID, nonce, fees, gasLimit)
    (self.to, self.value, self.data) = (to, value, data)
  }

  /// The type's number (EIP-2718), which begins the encoding.
  private static let type: UInt8 = 2

  private var fields: [RLP] {
    [
      .integer(chainID), .integer(nonce), .integer(fees.priority), .integer(fees.maximum), .integer(gasLimit),
      .bytes(to?.bytes ?? []), .integer(value), .bytes(data), .list([]),
    ]
  }

  /// The fields' encoding, one after the other.
  var unsigned: [UInt8] { fields.flatMap(\.encoded) }

  /// Returns a signed transaction's bytes from the encodings of its fields and its signature.
  static func encoded(_ fields: [UInt8], _ signature: [UInt8]) -> [UInt8] {
    [type] + RLP.list(encoded: fields + signature)
  }

  /// The hash that is signed.
  var signingHash: Bytes32 { Keccak256.hash([Self.type] + RLP.list(fields).encoded) }

  /// Signs the transaction. The same one always gets the same bytes.
  public func signed(by key: PrivateKey) -> SignedTransaction {
    let signature = key.sign(signingHash).bytes
    let parity = signature[64] - 27
    let signed = fields + [.integer(parity), .scalar(signature[..<32]), .scalar(signature[32..<64])]
    return SignedTransaction([Self.type] + RLP.list(signed).encoded)
  }
}

/// The bytes of a signed transaction, which a node takes, and its hash.
public struct SignedTransaction: Hashable, Sendable {
  /// The bytes to send.
  public let bytes: [UInt8]
  /// The Keccak-256 of the bytes, by which a receipt is found.
  public let hash: Bytes32

  /// Takes bytes that were signed. Does not check them.
  public init(_ bytes: [UInt8]) {
    (self.bytes, hash) = (bytes, Keccak256.hash(bytes))
  }
}

extension Address {
  /// Returns the address of the contract that a sender's transaction makes (Yellow Paper, §7).
  public static func ofContract(madeBy sender: Address, nonce: UInt64) -> Address {
    let hash = Keccak256.hash(RLP.list([.bytes(sender.bytes), .integer(nonce)]).encoded)
    guard let address = Address(hash.bytes.suffix(20)) else { preconditionFailure("an address is 20 bytes") }
    return address
  }
}
