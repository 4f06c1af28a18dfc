import FoundationEssentials

/// Times of day for people, in UTC.
package enum UTCTime {
  /// - Parameter unixSeconds: seconds since 1970.
  /// - Returns: a text such as `2026-11-20 18:04:11Z` (RFC 3339, with a space). RFC 3339 has years of four digits only.
  package static func text(_ unixSeconds: Int64) -> String {
    guard unixSeconds < 253_402_300_800 else { return "after the year 9999" }
    return Date(timeIntervalSince1970: Double(unixSeconds)).formatted(.iso8601.dateTimeSeparator(.space))
  }
}
