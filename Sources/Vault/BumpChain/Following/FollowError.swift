/// The reason why a node's chain cannot be followed.
public enum FollowError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The node's chain left ours before the oldest header that is kept. The index must be made anew.
  case tooDeep
  /// The node's chain lacks a block that was final. The node is wrong, or on another chain.
  case finalBlockTakenBack
  /// The node's answers contradict each other.
  case contradiction(String)

  public var description: String {
    switch self {
    case .tooDeep:
      "the node's chain differs from the stored one from before the oldest stored block. If other nodes say so too, begin with a new store"
    case .finalBlockTakenBack: "the node's chain lacks a block that was final"
    case .contradiction(let what): "the node contradicts itself: \(what)"
    }
  }
}
