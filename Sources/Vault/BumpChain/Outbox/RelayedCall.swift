public import BumpWallet

/// A call of a contract that a relayer carries and pays for. Somebody else has signed what it does.
public struct RelayedCall: Hashable, Sendable {
  /// What the call does.
  public let kind: SponsoredKind
  /// The contract.
  public let contract: Address
  /// The calldata.
  public let data: [UInt8]
  /// The most gas that it may use.
  public let gasLimit: UInt64
  /// The hash of contract and calldata: two requests for the same call are one.
  public let id: Bytes32

  /// Makes a call.
  public init(_ kind: SponsoredKind, of contract: Address, data: [UInt8], gasLimit: UInt64) {
    (self.kind, self.contract, self.data, self.gasLimit) = (kind, contract, data, gasLimit)
    id = Keccak256.hash(contract.bytes + data)
  }
}
