/// A call of a contract on a chain, which anybody may carry in a transaction of their own.
public struct ContractCall: Hashable, Sendable {
  /// The contract.
  public let contract: Address
  /// The calldata: function and arguments (Contract ABI Specification).
  public let data: [UInt8]

  /// Makes a call of its values.
  public init(to contract: Address, data: [UInt8]) {
    (self.contract, self.data) = (contract, data)
  }
}
