public import BumpWallet

/// What was spent under a policy, and what is reserved.
///
/// An operation's greatest cost is reserved before anything is sent, and settled by what it did cost. Everything is
/// counted for every interval, whatever the policy's limits are: so a limit that is edited, or put in, meets what was
/// spent before, and begins no interval anew.
public struct SponsoringLedger: Hashable, Sendable {
  /// What one person, or all, spent in an interval.
  public struct Usage: Hashable, Sendable {
    /// The interval's number.
    public fileprivate(set) var number: Int64
    /// The amount, reserved ones among it.
    public fileprivate(set) var amount: UInt128 = 0
    /// The number of operations.
    public fileprivate(set) var count: UInt64 = 0

    init(number: Int64, amount: UInt128 = 0, count: UInt64 = 0) {
      (self.number, self.amount, self.count) = (number, amount, count)
    }
  }

  /// A reservation.
  struct Reservation: Hashable, Sendable {
    let person: Address
    var amount: UInt128
    /// The numbers of the intervals in which it counts.
    let numbers: [CalendarInterval: Int64]
  }

  typealias Usages = [CalendarInterval: Usage]

  private(set) var common: Usages = [:]
  private(set) var personal: [Address: Usages] = [:]
  private(set) var reservations: [Bytes32: Reservation] = [:]

  /// Makes an empty ledger.
  public init() {}

  /// Makes the part of a ledger that a store has read: of some persons and operations.
  init(common: Usages, personal: [Address: Usages], reservations: [Bytes32: Reservation]) {
    (self.common, self.personal, self.reservations) = (common, personal, reservations)
  }

  /// Returns what was spent in the present interval.
  ///
  /// - Parameter person: `nil` for all together.
  public func usage(of person: Address?, in interval: CalendarInterval, at now: Int64) -> Usage {
    let number = number(of: interval, at: now)
    let usage = person.map { personal[$0]?[interval] } ?? common[interval]
    return usage.flatMap { $0.number == number ? $0 : nil } ?? Usage(number: number)
  }

  /// Reserves the greatest cost of an operation. The same operation again reserves only what it costs more now; that
  /// counts in the intervals in which the operation began.
  ///
  /// - Parameters:
  ///   - id: the operation's.
  ///   - person: who benefits: a deposit's sender, a claim's receiver.
  /// - Throws: `SponsoringRefusal`. Then nothing more is reserved.
  public mutating func reserve(
    _ amount: UInt128, for id: Bytes32, _ kind: SponsoredKind, of person: Address, under policy: SponsoringPolicy,
    at now: Int64
  ) throws(SponsoringRefusal) {
    let reserved = reservations[id]
    let more = reserved.map { amount > $0.amount ? amount - $0.amount : 0 } ?? amount
    let isNew = reserved == nil
    if !isNew, more == 0 { return }
    if isNew { try Self.check(kind, of: person, under: policy, at: now) }
    if let most = policy.perOperation, amount > most { throw .operation }
    for limit in policy.perPerson
    where !Self.has(room: limit, usage(of: person, in: limit.interval, at: now), more, isNew) {
      throw .personalLimit(limit.interval.end(after: now))
    }
    for limit in policy.together where !Self.has(room: limit, usage(of: nil, in: limit.interval, at: now), more, isNew)
    {
      throw .commonLimit(limit.interval.end(after: now))
    }
    begin(at: now, person)
    let numbers = reserved?.numbers ?? common.mapValues(\.number)
    reservations[id] = Reservation(person: person, amount: (reserved?.amount ?? 0) + more, numbers: numbers)
    change(person, numbers) { usage in
      usage.amount = usage.amount.adding(more)
      if isNew { usage.count += 1 }
    }
  }

  /// Replaces a reservation by what the operation did cost. One that reverted counts, too.
  public mutating func settle(_ id: Bytes32, cost: UInt128) {
    guard let reservation = reservations.removeValue(forKey: id) else { return }
    change(reservation.person, reservation.numbers) {
      $0.amount = $0.amount.subtracting(reservation.amount).adding(cost)
    }
  }

  /// Removes the reservation of an operation of which nothing was sent, nor ever will be.
  public mutating func release(_ id: Bytes32) {
    guard let reservation = reservations.removeValue(forKey: id) else { return }
    change(reservation.person, reservation.numbers) {
      $0.amount = $0.amount.subtracting(reservation.amount)
      $0.count -= min(1, $0.count)
    }
  }

  private static func check(
    _ kind: SponsoredKind, of person: Address, under policy: SponsoringPolicy, at now: Int64
  ) throws(SponsoringRefusal) {
    if let start = policy.start, now < start { throw .notStarted(start) }
    if let end = policy.end, now >= end { throw .ended }
    guard policy.kinds.contains(kind) else { throw .kind }
    guard !policy.blocked.contains(person), policy.allowed?.contains(person) ?? true else { throw .person }
  }

  private static func has(
    room limit: SponsoringPolicy.Limit, _ usage: Usage, _ more: UInt128, _ isNew: Bool
  ) -> Bool {
    if let amount = limit.amount, usage.amount.adding(more) > amount { return false }
    if let count = limit.count, isNew, usage.count >= count { return false }
    return true
  }

  /// Returns the number of the interval at a time. A clock that is set back begins none anew.
  private func number(of interval: CalendarInterval, at now: Int64) -> Int64 {
    max(interval.number(at: now), common[interval]?.number ?? .min)
  }

  /// Begins the intervals of a time that have not begun yet.
  private mutating func begin(at now: Int64, _ person: Address) {
    for interval in CalendarInterval.allCases {
      common[interval] = usage(of: nil, in: interval, at: now)
      personal[person, default: [:]][interval] = usage(of: person, in: interval, at: now)
    }
  }

  /// Changes the usages of a person and of all in some intervals, unless later ones have begun.
  private mutating func change(
    _ person: Address, _ numbers: [CalendarInterval: Int64], _ body: (inout Usage) -> Void
  ) {
    for (interval, number) in numbers {
      if var usage = common[interval], usage.number == number {
        body(&usage)
        common[interval] = usage
      }
      if var usage = personal[person]?[interval], usage.number == number {
        body(&usage)
        personal[person]?[interval] = usage
      }
    }
  }
}

extension UInt128 {
  /// Returns the sum, or the greatest number.
  fileprivate func adding(_ other: Self) -> Self {
    let (sum, isTooGreat) = addingReportingOverflow(other)
    return isTooGreat ? .max : sum
  }

  /// Returns the difference, or 0.
  fileprivate func subtracting(_ other: Self) -> Self { self > other ? self - other : 0 }
}
