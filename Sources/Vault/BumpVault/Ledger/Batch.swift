public import BumpWallet

/// A sealed batch of journal entries. It contains the hash of the batch before, so no entry can be changed, left out or
/// inserted without changing all batches that follow.
public struct Batch: Hashable, Sendable {
  /// The batch's number, counted from 1.
  public let number: Int64
  /// The hash of the batch before; zeros for the first.
  public let previous: Bytes32
  /// When the batch was sealed, in seconds since 1970.
  public let time: Int64
  /// The hashes of the batch's entries, in the journal's order. There is at least one.
  public let entries: [Bytes32]

  /// Makes a batch of its stored values. Does not check that it continues the chain.
  public init(number: Int64, previous: Bytes32, time: Int64, entries: [Bytes32]) {
    (self.number, self.previous, self.time, self.entries) = (number, previous, time, entries)
  }

  /// Makes the batch that follows another, or the first.
  public init(after last: (number: Int64, hash: Bytes32)?, at time: Int64, entries: [Bytes32]) {
    self.init(
      number: (last?.number ?? 0) + 1, previous: last?.hash ?? Self.beginning, time: time, entries: entries)
  }

  /// SHA-256 of: `bump/1 batch` and a zero; number (8 bytes), previous (32), time (8), number of entries (4), their
  /// hashes.
  public var hash: Bytes32 {
    var encoding = Encoding("bump/1 batch")
    encoding.append(number)
    encoding.append(previous.bytes)
    encoding.append(time)
    encoding.append(UInt32(entries.count))
    for entry in entries { encoding.append(entry.bytes) }
    return encoding.hash
  }

  /// The `previous` of the first batch: zeros.
  public static var beginning: Bytes32 { .word(0 as UInt64) }
}
