public import BumpClaims

/// The limits that a vault sets. Times are seconds.
public struct VaultLimits: Hashable, Sendable {
  /// The greatest amount of one claim, of any token.
  public var cap: Amount
  /// The greatest number of one sender's claims that are pending at once.
  public var pending: Int64
  /// The greatest number of one sender's deposits in a day, which begins at midnight UTC.
  public var depositsPerDay: Int64
  /// How long a draft without a deposit lasts.
  public var draftLifetime: Int64
  /// How far in the future a claim's expiry may be.
  public var longestLife: Int64

  /// Makes limits. The defaults are 100.00, 20, 100, ten minutes and thirty days.
  public init(
    cap: Amount? = nil, pending: Int64 = 20, depositsPerDay: Int64 = 100, draftLifetime: Int64 = 600,
    longestLife: Int64 = 30 * 86_400
  ) {
    self.cap = cap ?? Self.hundred
    (self.pending, self.depositsPerDay) = (pending, depositsPerDay)
    (self.draftLifetime, self.longestLife) = (draftLifetime, longestLife)
  }

  private static var hundred: Amount {
    guard let amount = Amount(baseUnits: 100 * Amount.scale) else { preconditionFailure("100 is an amount") }
    return amount
  }
}

/// The days by which senders' deposits are counted.
package enum Day {
  package static let seconds: Int64 = 86_400
  /// Returns the number of the day of a time, counted from 1970.
  package static func of(_ moment: Int64) -> Int64 { moment / seconds }
  /// Returns the first second after a day.
  package static func end(of day: Int64) -> Int64 { (day + 1) * seconds }
}
