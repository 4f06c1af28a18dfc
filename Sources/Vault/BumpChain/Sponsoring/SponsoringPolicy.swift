public import BumpWallet

/// The kinds of calls that somebody may pay for.
public enum SponsoredKind: String, Hashable, Sendable, CaseIterable {
  /// Locking a claim's amount; paying it to a receiver; paying it back to its sender.
  case deposit, claim, refund
}

/// What an operator pays for others, and how much: the gas on a chain, or the money of a promotion. Amounts are whole
/// numbers of the smallest unit: wei, or a token's base units.
public struct SponsoringPolicy: Hashable, Sendable {
  /// The most that may be spent in an interval.
  public struct Limit: Hashable, Sendable {
    /// The interval. A new one begins with nothing spent.
    public var interval: CalendarInterval
    /// The amount; `nil` for any.
    public var amount: UInt128?
    /// The number of operations; `nil` for any.
    public var count: UInt64?

    /// Makes a limit.
    public init(_ interval: CalendarInterval, amount: UInt128? = nil, count: UInt64? = nil) {
      (self.interval, self.amount, self.count) = (interval, amount, count)
    }
  }

  /// The kinds that are paid for.
  public var kinds: Set<SponsoredKind>
  /// The most that one operation may cost; `nil` for any amount.
  public var perOperation: UInt128?
  /// The limits of each person.
  public var perPerson: [Limit]
  /// The limits of all together.
  public var together: [Limit]
  /// The only persons for whom is paid; `nil` for all.
  public var allowed: Set<Address>?
  /// Persons for whom is not paid, even if they are allowed.
  public var blocked: Set<Address>
  /// From when on is paid, in seconds since 1970.
  public var start: Int64?
  /// Until when is paid, in seconds since 1970.
  public var end: Int64?

  /// Makes a policy that pays for some kinds without limits.
  public init(
    _ kinds: Set<SponsoredKind> = Set(SponsoredKind.allCases), perOperation: UInt128? = nil, perPerson: [Limit] = [],
    together: [Limit] = [], allowed: Set<Address>? = nil, blocked: Set<Address> = [], start: Int64? = nil,
    end: Int64? = nil
  ) {
    (self.kinds, self.perOperation, self.perPerson, self.together) = (kinds, perOperation, perPerson, together)
    (self.allowed, self.blocked, self.start, self.end) = (allowed, blocked, start, end)
  }
}

/// Why an operation is not paid for.
public enum SponsoringRefusal: Error, Hashable, Sendable {
  /// The policy does not pay for the kind.
  case kind
  /// It does not pay yet: from this time on, in seconds since 1970.
  case notStarted(Int64)
  /// It does not pay any more.
  case ended
  /// It does not pay for this person.
  case person
  /// The operation costs too much.
  case operation
  /// The person's limit is used up until then, in seconds since 1970; `nil` for ever.
  case personalLimit(Int64?)
  /// The limit of all is used up until then, in seconds since 1970; `nil` for ever.
  case commonLimit(Int64?)
}
