public import BumpWallet

/// An event of the contract `ClaimVault`.
public enum VaultEvent: Hashable, Sendable {
  /// An amount was locked. It may be of any token, and more than an `Amount`.
  case created(Bytes32, sender: Address, token: Address, amount: UInt128, expiry: UInt64)
  /// A claim was paid to a receiver.
  case claimed(Bytes32, receiver: Address)
  /// A claim was paid back to its sender.
  case refunded(Bytes32)

  /// The topics of the three events.
  static let topics = [createdTopic, claimedTopic, refundedTopic]
  static let createdTopic = Keccak256.hash("ClaimCreated(bytes32,address,address,uint256,uint40)".utf8)
  static let claimedTopic = Keccak256.hash("Claimed(bytes32,address)".utf8)
  static let refundedTopic = Keccak256.hash("Refunded(bytes32)".utf8)

  /// Reads a log of the contract.
  ///
  /// - Returns: `nil` for a log that is none of the three events.
  /// - Throws: `NodeError.badResult` for one that has such an event's topic, and other contents than the event.
  public init?(_ log: ChainLog) throws(NodeError) {
    func check(_ topics: Int) throws(NodeError) {
      guard log.topics.count == topics else {
        throw NodeError(.badResult, "an event has \(log.topics.count) topics, not \(topics)")
      }
    }
    switch log.topics.first {
    case Self.createdTopic:
      try check(3)
      let words = try CallResult(log.data, words: 3)
      self = .created(
        log.topics[1], sender: try CallResult.address(log.topics[2]), token: try words.address(0),
        amount: try words.number(1), expiry: try words.number(2))
    case Self.claimedTopic:
      try check(3)
      _ = try CallResult(log.data, words: 0)
      self = .claimed(log.topics[1], receiver: try CallResult.address(log.topics[2]))
    case Self.refundedTopic:
      try check(2)
      _ = try CallResult(log.data, words: 0)
      self = .refunded(log.topics[1])
    default: return nil
    }
  }

  /// The ledger id of the claim.
  public var ledgerID: Bytes32 {
    switch self {
    case .created(let id, _, _, _, _), .claimed(let id, _), .refunded(let id): id
    }
  }
}
