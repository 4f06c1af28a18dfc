public import BumpClaims
import Glibc

/// The time of day.
public enum UnixTime {
  /// Whole seconds since 1970.
  @Sendable public static func now() -> Int64 { Int64(time(nil)) }
}

extension Expiry {
  /// So many seconds from now; at once for a number that is not greater than zero.
  public init(secondsFromNow seconds: Int64, now: Int64 = UnixTime.now()) {
    self.init(clamping: now.addingReportingOverflow(max(0, seconds)).partialValue)
  }
}
