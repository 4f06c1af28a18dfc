public import BumpWallet

/// How sure it is that something stays in the chain.
public enum ConfirmationLevel: Int, Hashable, Comparable, Sendable {
  /// It is in a block that has too few behind it.
  case seen
  /// It has as many blocks behind it as the operator wants. A reorganization may still take it back.
  case confirmed
  /// No reorganization can take it back.
  case finalized

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// How far the chain has come, by which levels are judged.
public struct ChainHeight: Hashable, Sendable {
  /// The number of the latest block.
  public let tip: UInt64
  /// The number of the latest final block.
  public let finalized: UInt64
  /// How many blocks something must have, its own among them, to be confirmed.
  public let confirmations: UInt64

  /// Makes a height of its values.
  public init(tip: UInt64, finalized: UInt64, confirmations: UInt64) {
    (self.tip, self.finalized, self.confirmations) = (tip, finalized, confirmations)
  }

  /// Returns the level of what is in the block of a number.
  public func level(of block: UInt64) -> ConfirmationLevel {
    if block <= finalized { return .finalized }
    return block <= tip && tip - block + 1 >= confirmations ? .confirmed : .seen
  }
}

/// What the chain says of one claim, and what was said of it before.
public struct ClaimProgress: Hashable, Sendable {
  /// A state that is said to clients.
  public enum State: Hashable, Sendable {
    /// Nothing that is confirmed is known.
    case unknown
    /// The amount is locked.
    case pending
    /// The claim was paid to a receiver.
    case claimed(Address)
    /// The claim was paid back.
    case refunded

    fileprivate var isSettled: Bool { self != .unknown && self != .pending }
  }

  /// What clients are to hear.
  public enum News: Hashable, Sendable {
    /// A reorganization took back what was said before. What follows, if anything, holds now.
    case unsettled
    /// The state, at a level that is `confirmed` or `finalized`.
    case state(State, ConfirmationLevel)
  }

  private struct Placed: Hashable {
    let block: UInt64
    let state: State
  }

  /// Deposit and settlement, in the chain's order.
  private var placed: [Placed] = []
  /// What was said last.
  public private(set) var said: State = .unknown
  private var saidLevel = ConfirmationLevel.seen

  /// Makes a claim of which nothing is known.
  public init() {}

  /// Takes an event of this claim, in a block that is above all before it.
  public mutating func take(_ event: VaultEvent, block: UInt64) {
    let state: State =
      switch event {
      case .created: .pending
      case .claimed(_, let receiver): .claimed(receiver)
      case .refunded: .refunded
      }
    placed.append(Placed(block: block, state: state))
  }

  /// Takes back what is above a block.
  public mutating func takeBack(above block: UInt64) { placed.removeAll { $0.block > block } }

  /// Returns what clients are to hear, now that the chain has come so far.
  public mutating func news(at height: ChainHeight) -> [News] {
    let standing = placed.last { height.level(of: $0.block) > .seen }
    let (state, level) = (standing?.state ?? .unknown, standing.map { height.level(of: $0.block) } ?? .seen)
    guard state != said || level != saidLevel else { return [] }
    let isTakenBack = state != said && (said.isSettled || state == .unknown) || level < saidLevel && state == said
    defer { (said, saidLevel) = (state, level) }
    let news: [News] = state == .unknown ? [] : [.state(state, level)]
    return (isTakenBack ? [.unsettled] : []) + news
  }
}
