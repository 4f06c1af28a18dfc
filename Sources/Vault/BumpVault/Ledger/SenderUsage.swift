/// How much of its limits a sender has used. Only the update that makes a deposit counts it.
public struct SenderUsage: Hashable, Sendable {
  /// The number of claims that are pending now. An expired claim counts until it is refunded.
  public let pending: Int64
  /// The day of the last deposit, counted from 1970.
  public let day: Int64
  /// The number of deposits on that day.
  public let deposits: Int64

  /// Makes a use. The defaults are for a sender without a deposit.
  public init(pending: Int64 = 0, day: Int64 = 0, deposits: Int64 = 0) {
    (self.pending, self.day, self.deposits) = (pending, day, deposits)
  }

  /// Returns the number of deposits on the day of a time in seconds since 1970.
  package func deposits(at now: Int64) -> Int64 { Day.of(now) == day ? deposits : 0 }

  /// Returns the use after one more deposit.
  package func deposited(at now: Int64) -> Self {
    Self(pending: pending + 1, day: Day.of(now), deposits: deposits(at: now) + 1)
  }

  /// Returns the use after one pending claim ended.
  package func settled() -> Self { Self(pending: pending - 1, day: day, deposits: deposits) }
}
