public import BumpWallet

/// The right to use a relayer's key, and to write the outbox and the index of a store. One process has it at a time.
public struct ChainLease: Hashable, Sendable {
  /// The address of the relayer's key.
  public let key: Address
  /// The process, by a number that it has drawn at random.
  public let holder: Bytes32
  /// The fencing number: greater each time the lease gets another holder. Every write names it, and fails once it is not
  /// the greatest.
  public let fence: Int64

  /// Makes a lease of its stored values.
  public init(key: Address, holder: Bytes32, fence: Int64) {
    (self.key, self.holder, self.fence) = (key, holder, fence)
  }
}

/// What became of asking for a lease.
public enum LeaseAnswer: Hashable, Sendable {
  /// The process has it, for as long as it asked for from before the call on.
  case held(ChainLease)
  /// Another process has it, for so many seconds more unless it asks again.
  case other(seconds: Int64)
}
