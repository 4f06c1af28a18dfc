/// The fees of an EIP-1559 transaction, in wei for each gas.
public struct Fees: Hashable, Sendable {
  /// The most that a gas may cost in all.
  public let maximum: UInt64
  /// The part for the block's builder. At most `maximum`.
  public let priority: UInt64

  /// Makes fees. A priority beyond the maximum becomes the maximum: nodes refuse others.
  public init(maximum: UInt64, priority: UInt64) {
    (self.maximum, self.priority) = (maximum, min(priority, maximum))
  }
}
