import BumpWallet

/// What a person spent in an interval. All together are the zero address: it belongs to nobody.
struct UsageRow: ChainStoredRow {
  static let table = ChainTable.usages
  let person: Address
  let interval: CalendarInterval
  let usage: SponsoringLedger.Usage

  init(_ usage: SponsoringLedger.Usage, of person: Address, in interval: CalendarInterval) {
    (self.usage, self.person, self.interval) = (usage, person, interval)
  }

  init(_ body: inout BodyReader) throws(ChainStoreError) {
    (person, interval) = (try body.address(), try body.interval())
    usage = SponsoringLedger.Usage(number: try body.number(), amount: try body.number(), count: try body.number())
  }

  var key: [UInt8] { person.bytes + [interval.code] }

  func write(to body: inout BodyWriter) {
    body.put(person)
    body.put(interval.code)
    body.put(usage.number)
    body.put(usage.amount)
    body.put(usage.count)
  }
}

/// What is reserved for an operation.
struct ReservationRow: ChainStoredRow {
  static let table = ChainTable.reservations
  let id: Bytes32
  let reservation: SponsoringLedger.Reservation

  init(_ reservation: SponsoringLedger.Reservation, id: Bytes32) { (self.reservation, self.id) = (reservation, id) }

  init(_ body: inout BodyReader) throws(ChainStoreError) {
    id = try body.bytes32()
    let (person, amount): (Address, UInt128) = (try body.address(), try body.number())
    var numbers: [CalendarInterval: Int64] = [:]
    for _ in 0..<(try body.number(UInt8.self)) { numbers[try body.interval()] = try body.number() }
    reservation = SponsoringLedger.Reservation(person: person, amount: amount, numbers: numbers)
  }

  var key: [UInt8] { id.bytes }

  func write(to body: inout BodyWriter) {
    body.put(id)
    body.put(reservation.person)
    body.put(reservation.amount)
    body.put(UInt8(reservation.numbers.count))
    for interval in CalendarInterval.allCases {
      guard let number = reservation.numbers[interval] else { continue }
      body.put(interval.code)
      body.put(number)
    }
  }
}

extension CalendarInterval {
  /// The interval's number in rows.
  fileprivate var code: UInt8 {
    switch self {
    case .hour: 0
    case .day: 1
    case .week: 2
    case .month: 3
    case .ever: 4
    }
  }
}

extension BodyReader {
  fileprivate mutating func interval() throws(ChainStoreError) -> CalendarInterval {
    let code: UInt8 = try number()
    guard let interval = CalendarInterval.allCases.first(where: { $0.code == code }) else { throw .damagedRow }
    return interval
  }
}
