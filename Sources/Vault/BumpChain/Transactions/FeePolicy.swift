/// How much a relayer pays for each gas.
public struct FeePolicy: Hashable, Sendable {
  /// The most that a gas may cost in all, in wei.
  public var cap: UInt64
  /// The most of it for the block's builder, in wei.
  public var priorityCap: UInt64
  /// The least for the block's builder, in wei.
  public var leastPriority: UInt64

  /// Makes a policy.
  public init(cap: UInt64, priorityCap: UInt64, leastPriority: UInt64) {
    (self.cap, self.priorityCap) = (cap, min(priorityCap, cap))
    self.leastPriority = min(leastPriority, self.priorityCap)
  }

  /// Returns fees for the next block: the median of what others paid lately, and room for the base fee to double.
  ///
  /// - Returns: `nil` if the next block costs more than the cap. Then waiting is cheaper.
  public func fees(after history: FeeHistory) -> Fees? {
    let rewards = history.rewards.sorted()
    let median = rewards.isEmpty ? leastPriority : rewards[rewards.count / 2]
    let priority = min(max(median, leastPriority), priorityCap)
    let (needed, isTooGreat) = history.nextBaseFee.addingReportingOverflow(priority)
    guard !isTooGreat, needed <= cap else { return nil }
    let wanted = 2 * UInt128(history.nextBaseFee) + UInt128(priority)
    return Fees(maximum: UInt64(min(wanted, UInt128(cap))), priority: priority)
  }

  /// Returns the fees of a replacement: both raised by 12.5 %, since nodes take no replacement below 10 %, and at least
  /// what the market takes now.
  ///
  /// - Returns: `nil` if one of the two would be above its cap. Then the transaction stays as it is.
  public func raised(_ fees: Fees, market: Fees? = nil) -> Fees? {
    let (maximum, priority) = (Self.raised(fees.maximum), Self.raised(fees.priority))
    guard maximum <= UInt128(cap), priority <= UInt128(priorityCap) else { return nil }
    return Fees(
      maximum: max(UInt64(maximum), min(market?.maximum ?? 0, cap)),
      priority: max(UInt64(priority), min(market?.priority ?? 0, priorityCap)))
  }

  /// Raises a fee by an eighth, rounded up; by at least 1.
  private static func raised(_ fee: UInt64) -> UInt128 { UInt128(fee) + max(1, (UInt128(fee) + 7) / 8) }
}

/// What the last blocks cost, and what the next one will: the answer of `NodeCall.feeHistory`.
public struct FeeHistory: Hashable, Sendable {
  /// The base fee of the next block, in wei for each gas.
  public let nextBaseFee: UInt64
  /// What one of each block's transactions paid to the builder, in wei for each gas.
  public let rewards: [UInt64]

  /// Makes a history of its values.
  public init(nextBaseFee: UInt64, rewards: [UInt64]) {
    (self.nextBaseFee, self.rewards) = (nextBaseFee, rewards)
  }
}
