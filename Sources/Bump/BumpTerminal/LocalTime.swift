import Glibc

/// Times of day for people, in the time zone of their machine.
package enum LocalTime {
  /// - Parameter unixSeconds: seconds since 1970.
  /// - Returns: a text such as `2026-11-20 18:04`.
  package static func text(_ unixSeconds: Int64) -> String {
    guard let parts = parts(unixSeconds) else { return "after the year 9999" }
    return "\(date(parts)) \(time(parts))"
  }

  /// - Parameters:
  ///   - unixSeconds: seconds since 1970.
  ///   - now: the current time.
  /// - Returns: a text such as `18:04`, or with the date if that is another day.
  package static func short(_ unixSeconds: Int64, now: Int64) -> String {
    guard let parts = parts(unixSeconds), let today = self.parts(now), date(parts) == date(today) else {
      return text(unixSeconds)
    }
    return time(parts)
  }

  private static func parts(_ unixSeconds: Int64) -> tm? {
    var (seconds, parts) = (time_t(unixSeconds), tm())
    guard localtime_r(&seconds, &parts) != nil, parts.tm_year < 8100 else { return nil }
    return parts
  }

  private static func date(_ parts: tm) -> String {
    "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
  }

  private static func time(_ parts: tm) -> String { "\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2))" }

  private static func digits(_ number: Int32, _ count: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
