import FoundationEssentials

/// Moments for people, in UTC.
enum Moments {
  /// - Parameter unixSeconds: seconds since 1970.
  /// - Returns: such as `2026-11-20 18:04:11Z` (RFC 3339, with a space).
  static func text(_ unixSeconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(unixSeconds)).formatted(.iso8601.dateTimeSeparator(.space))
  }
}
