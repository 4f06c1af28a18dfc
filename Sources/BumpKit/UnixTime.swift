import Glibc

/// The time of day.
public enum UnixTime {
  /// Whole seconds since 1970.
  @Sendable public static func now() -> Int64 { Int64(time(nil)) }
}
