public import BumpClaims

/// What a vault allows. Times are seconds.
public struct VaultLimits: Hashable, Sendable {
  /// The most that one claim may hold, of any token.
  public var cap: Amount
  /// Claims of one sender that are pending at once.
  public var pending: Int64
  /// Deposits of one sender in a day, which begins at midnight UTC.
  public var depositsPerDay: Int64
  /// How long a draft lasts without its deposit.
  public var draftLifetime: Int64
  /// How far off a claim's expiry may be.
  public var longestLife: Int64

  /// 100.00, 20, 100, ten minutes and thirty days, unless told otherwise.
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

/// Days as senders' deposits are counted by.
package enum Day {
  package static let seconds: Int64 = 86_400
  /// The number of the day of a moment, counted from 1970.
  package static func of(_ moment: Int64) -> Int64 { moment / seconds }
  /// The first second after a day.
  package static func end(of day: Int64) -> Int64 { (day + 1) * seconds }
}
