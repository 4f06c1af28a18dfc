/// A calendar's interval in UTC, in which something is counted.
public enum CalendarInterval: String, Hashable, Sendable, CaseIterable {
  /// 60 minutes; 24 hours.
  case hour, day
  /// From Monday on (ISO 8601).
  case week
  /// From the first day on, as the Gregorian calendar has it.
  case month
  /// Without an end.
  case ever

  /// Returns the number of the interval that contains a time, counted from 1970.
  ///
  /// - Parameter time: seconds since 1970, not negative.
  public func number(at time: Int64) -> Int64 {
    switch self {
    case .hour: time / 3600
    case .day: time / 86_400
    // 1 January 1970 was a Thursday: the first Monday came four days later.
    case .week: (time / 86_400 + 3) / 7
    case .month: Self.month(ofDay: time / 86_400)
    case .ever: 0
    }
  }

  /// Returns when the interval after a time's begins, in seconds since 1970; `nil` if it has no end.
  public func end(after time: Int64) -> Int64? {
    let next = number(at: time) + 1
    switch self {
    case .hour: return next * 3600
    case .day: return next * 86_400
    case .week: return (next * 7 - 3) * 86_400
    case .month: return Self.firstDay(ofMonth: next) * 86_400
    case .ever: return nil
    }
  }

  /// Returns the number of the first day of a month, both counted from 1970 (the Gregorian calendar).
  private static func firstDay(ofMonth month: Int64) -> Int64 {
    let (year, index) = (1970 + month / 12, Int(month % 12))
    let before = year - 1
    let leapDays = before / 4 - before / 100 + before / 400 - 477
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return 365 * (year - 1970) + leapDays + daysBefore[index] + (isLeap && index > 1 ? 1 : 0)
  }

  private static func month(ofDay day: Int64) -> Int64 {
    // No month is longer than 31 days, so this is never too late; and it is a few months early at the most.
    var month = day / 31
    while firstDay(ofMonth: month + 1) <= day { month += 1 }
    return month
  }

  /// The days of a common year before each month.
  private static let daysBefore: [Int64] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
}
