public import BumpClaims

/// How much time a claim with money behind it must have left: its receiver needs some to claim it. With less, its sender does
/// not hand it over, and its receiver does not accept it as funded.
public struct ExpiryMargin: Hashable, Sendable, CustomStringConvertible {
  /// Five minutes.
  public static let standard = ExpiryMargin(seconds: 300)

  public let seconds: Int64

  /// - Parameter seconds: zero or more.
  public init(seconds: Int64) {
    self.seconds = max(0, seconds)
  }

  /// Whether more time than this is left.
  ///
  /// - Parameter now: seconds since 1970.
  public func isLeft(before expiry: Expiry, at now: Int64) -> Bool { now < expiry.unixSeconds - seconds }

  /// `5 minutes`, `90 seconds`.
  public var description: String {
    let (count, unit) = seconds > 0 && seconds % 60 == 0 ? (seconds / 60, "minute") : (seconds, "second")
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
  }
}
