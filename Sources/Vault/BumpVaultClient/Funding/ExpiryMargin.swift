public import BumpClaims

/// The time that a claim with money behind it must have left, so that its receiver can claim it. With less, the sender
/// does not hand the claim over, and the receiver does not accept it as funded.
public struct ExpiryMargin: Hashable, Sendable, CustomStringConvertible {
  /// Five minutes.
  public static let standard = ExpiryMargin(seconds: 300)

  /// The time in seconds, zero or more.
  public let seconds: Int64

  /// - Parameter seconds: zero or more.
  public init(seconds: Int64) {
    self.seconds = max(0, seconds)
  }

  /// Returns whether more time than this is left.
  ///
  /// - Parameter now: the time in seconds since 1970.
  public func isLeft(before expiry: Expiry, at now: Int64) -> Bool { now < expiry.unixSeconds - seconds }

  /// The time in words, such as `5 minutes` or `90 seconds`.
  public var description: String {
    let (count, unit) = seconds > 0 && seconds % 60 == 0 ? (seconds / 60, "minute") : (seconds, "second")
    return "\(count) \(unit)\(count == 1 ? "" : "s")"
  }
}
