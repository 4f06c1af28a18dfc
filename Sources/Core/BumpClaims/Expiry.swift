/// The time at which a claim expires, in whole seconds since 1970 (Unix time), not negative.
public struct Expiry: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Seconds since 1970.
  public let unixSeconds: Int64

  /// Makes an expiry; `nil` before 1970.
  public init?(unixSeconds: Int64) {
    guard unixSeconds >= 0 else { return nil }
    self.unixSeconds = unixSeconds
  }

  /// Makes an expiry. A time before 1970 becomes 1970.
  public init(clamping unixSeconds: Int64) {
    self.unixSeconds = max(0, unixSeconds)
  }

  /// Reads decimal digits without leading zeros; `nil` for any other text.
  package init?(digits: String) {
    guard let seconds = Int64(digits), String(seconds) == digits else { return nil }
    self.init(unixSeconds: seconds)
  }

  /// Returns whether the claim has expired at `now`, in Unix seconds.
  public func hasPassed(at now: Int64) -> Bool { unixSeconds <= now }

  public var description: String { String(unixSeconds) }
  public static func < (left: Self, right: Self) -> Bool { left.unixSeconds < right.unixSeconds }
}
