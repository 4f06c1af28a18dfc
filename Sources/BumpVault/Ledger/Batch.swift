public import BumpWallet

/// A batch of journal entries that is sealed: each has the hash of the one before in it, so none can be changed, left out
/// or put in between without changing all that follow.
public struct Batch: Hashable, Sendable {
  /// Counted from 1.
  public let number: Int64
  /// The hash of the batch before; zeros for the first.
  public let previous: Bytes32
  /// When it was sealed, in seconds since 1970.
  public let time: Int64
  /// The hashes of its entries, in the journal's order. There is at least one.
  public let entries: [Bytes32]

  public init(number: Int64, previous: Bytes32, time: Int64, entries: [Bytes32]) {
    (self.number, self.previous, self.time, self.entries) = (number, previous, time, entries)
  }

  /// The batch that follows another, or the first.
  public init(after last: (number: Int64, hash: Bytes32)?, at time: Int64, entries: [Bytes32]) {
    self.init(
      number: (last?.number ?? 0) + 1, previous: last?.hash ?? Self.beginning, time: time, entries: entries)
  }

  /// SHA-256 of: `bump/1 batch` and a zero; number (8 bytes), previous (32), time (8), how many entries (4), their hashes.
  public var hash: Bytes32 {
    var encoding = Encoding("bump/1 batch")
    encoding.append(number)
    encoding.append(previous.bytes)
    encoding.append(time)
    encoding.append(UInt32(entries.count))
    for entry in entries { encoding.append(entry.bytes) }
    return encoding.hash
  }

  /// What the first batch has for the hash of the one before.
  public static var beginning: Bytes32 { .word(0 as UInt64) }
}
