/// The moment after which a claim can no longer be taken, in whole seconds since 1970 (Unix time), not negative.
public struct Expiry: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let unixSeconds: Int64

  /// `nil` before 1970.
  public init?(unixSeconds: Int64) {
    guard unixSeconds >= 0 else { return nil }
    self.unixSeconds = unixSeconds
  }

  /// The nearest moment that there is: 1970 for anything before.
  public init(clamping unixSeconds: Int64) {
    self.unixSeconds = max(0, unixSeconds)
  }

  /// Reads decimal digits without leading zeros.
  init?(digits: String) {
    guard let seconds = Int64(digits), String(seconds) == digits else { return nil }
    self.init(unixSeconds: seconds)
  }

  /// Whether the claim can no longer be taken at `now` (Unix time).
  public func hasPassed(at now: Int64) -> Bool { unixSeconds <= now }

  public var description: String { String(unixSeconds) }
  public static func < (left: Self, right: Self) -> Bool { left.unixSeconds < right.unixSeconds }
}
