import BumpNode

/// How a pool sees one of its nodes.
public struct NodeState: Hashable, Sendable {
  /// The node's name in the configuration.
  public let name: String
  /// The number of its latest block, when it was asked last; `nil` if it has not said.
  public let head: UInt64?
  /// Until when it is not asked, in seconds since 1970; `nil` if it is asked.
  public let restsUntil: Int64?
  /// What was wrong with its last answer; `nil` if nothing was.
  public let failure: String?
  /// Whether it is so many blocks behind others that those are asked in its place.
  public let isBehind: Bool
}

/// A node of a pool, and what is known of it.
struct PooledNode: Sendable {
  let name: String
  let transport: any NodeTransport
  /// Until when it is left alone.
  var restsUntil: Int64 = .min
  /// How many times in a row it failed.
  var failures = 0
  var failure: String?
  /// Whether it has named the chain's id since it failed last.
  var isOfChain = false
  var head: UInt64?

  /// The longest time for which a node is left alone, in seconds.
  static let longestRest: Int64 = 300

  /// Leaves the node alone: for longer each time in a row, or as long as it wants.
  mutating func rest(_ seconds: Int64?, at now: Int64, because reason: String) {
    failures += 1
    let wait = seconds ?? Int64(1) << Int64(min(failures - 1, 6))
    restsUntil = now + min(max(1, wait), Self.longestRest)
    (failure, isOfChain, head) = (reason, false, nil)
  }
}
