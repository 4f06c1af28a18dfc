/// How much of its limits a sender has used. The deposit's own update counts it, and nothing earlier.
public struct SenderUse: Hashable, Sendable {
  /// Claims that are pending now. One that has expired counts until it is refunded.
  public let pending: Int64
  /// The day of the last deposit, counted from 1970.
  public let day: Int64
  /// The deposits on that day.
  public let deposits: Int64

  public init(pending: Int64 = 0, day: Int64 = 0, deposits: Int64 = 0) {
    (self.pending, self.day, self.deposits) = (pending, day, deposits)
  }

  /// The deposits on the day of a moment.
  package func deposits(at now: Int64) -> Int64 { Day.of(now) == day ? deposits : 0 }

  /// With one more deposit.
  package func deposited(at now: Int64) -> Self {
    Self(pending: pending + 1, day: Day.of(now), deposits: deposits(at: now) + 1)
  }

  /// With one pending claim less.
  package func settled() -> Self { Self(pending: pending - 1, day: day, deposits: deposits) }
}
