public import BumpClaims
import Glibc

/// The time of day.
public enum UnixTime {
  /// Returns the whole seconds since 1970.
  @Sendable public static func now() -> Int64 { Int64(time(nil)) }
}

extension Expiry {
  /// Makes an expiry this many seconds from now, or the time now if the number is not greater than zero.
  public init(secondsFromNow seconds: Int64, now: Int64 = UnixTime.now()) {
    self.init(clamping: now.addingReportingOverflow(max(0, seconds)).partialValue)
  }
}
