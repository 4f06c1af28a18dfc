/// A time as `timestamptz` stores it, in microseconds. Infinity and minus infinity are the maximum and the minimum.
public struct PostgresTimestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 2000-01-01 00:00 UTC.
  public let microsecondsSince2000: Int64

  /// Makes a time from microseconds since 2000-01-01 00:00 UTC, PostgreSQL's own count.
  public init(microsecondsSince2000: Int64) {
    self.microsecondsSince2000 = microsecondsSince2000
  }

  /// - Returns: `nil` if the time overflows. PostgreSQL's range is smaller: from 4714 BC to AD 294276.
  public init?(unixSeconds: Int64, microseconds: Int64 = 0) {
    let (seconds, isBefore) = unixSeconds.subtractingReportingOverflow(Self.epoch)
    let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (count, isOver) = whole.addingReportingOverflow(microseconds)
    if isBefore || isTooFar || isOver { return nil }
    microsecondsSince2000 = count
  }

  /// `infinity`, which is later than every other time.
  public static let infinity = PostgresTimestamp(microsecondsSince2000: .max)
  /// `-infinity`, which is earlier than every other time.
  public static let minusInfinity = PostgresTimestamp(microsecondsSince2000: .min)

  /// Whole seconds since 1970-01-01 00:00 UTC, rounded down.
  public var unixSeconds: Int64 {
    let (seconds, rest) = microsecondsSince2000.quotientAndRemainder(dividingBy: 1_000_000)
    return seconds + Self.epoch - (rest < 0 ? 1 : 0)
  }

  public static func < (left: Self, right: Self) -> Bool {
    left.microsecondsSince2000 < right.microsecondsSince2000
  }

  /// PostgreSQL's epoch, in Unix seconds.
  private static let epoch: Int64 = 946_684_800
}
