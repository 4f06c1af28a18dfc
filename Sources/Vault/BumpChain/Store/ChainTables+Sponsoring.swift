package import BumpWallet

extension ChainTables {
  package func reserve(
    _ sponsorship: Sponsorship, for callID: Bytes32, _ kind: SponsoredKind
  ) async throws -> SponsoringRefusal? {
    let rows = try await run(
      ChainOperation({ _ in ChainQuery.sponsoring(callID, of: sponsorship.person) }) { rows in
        _ = try rows.reserve(sponsorship, callID, kind)
      })
    return rows.refusal
  }

  package func usage(
    of person: Address?, at now: Int64
  ) async throws -> [CalendarInterval: SponsoringLedger.Usage] {
    let rows = try await run(
      ChainOperation(reading: { _ in
        Set([.zero, person ?? .zero]).map { .prefix(.usages, $0.bytes) }
      }))
    let ledger = try rows.ledger()
    let usages = CalendarInterval.allCases.map { ($0, ledger.usage(of: person, in: $0, at: now)) }
    return Dictionary(uniqueKeysWithValues: usages)
  }
}

extension ChainQuery {
  /// What was spent by a person and by all, and what is reserved for an operation.
  static func sponsoring(_ callID: Bytes32, of person: Address) -> [ChainQuery] {
    [.key(.reservations, callID.bytes)] + Set([.zero, person]).map { .prefix(.usages, $0.bytes) }
  }
}

extension ChainRows {
  /// The questions for what was reserved for an operation, and for what its person spent.
  func reserved(_ callID: Bytes32) throws(ChainStoreError) -> [ChainQuery] {
    guard let row = try row(callID.bytes, of: ReservationRow.self) else { return [.key(.reservations, callID.bytes)] }
    return ChainQuery.sponsoring(callID, of: row.reservation.person)
  }

  /// Returns the part of the ledger that was read.
  fileprivate func ledger() throws(ChainStoreError) -> SponsoringLedger {
    var personal: [Address: SponsoringLedger.Usages] = [:]
    for row in try rows(of: UsageRow.self) { personal[row.person, default: [:]][row.interval] = row.usage }
    let common = personal.removeValue(forKey: .zero) ?? [:]
    var reservations: [Bytes32: SponsoringLedger.Reservation] = [:]
    for row in try rows(of: ReservationRow.self) { reservations[row.id] = row.reservation }
    return SponsoringLedger(common: common, personal: personal, reservations: reservations)
  }

  /// Returns whether the cost is reserved. Otherwise `refusal` is the reason.
  mutating func reserve(
    _ sponsorship: Sponsorship, _ callID: Bytes32, _ kind: SponsoredKind
  ) throws(ChainStoreError) -> Bool {
    // The zero address stands for all together, and benefits from nothing.
    guard sponsorship.person != .zero else {
      refusal = .person
      return false
    }
    var ledger = try ledger()
    do {
      try ledger.reserve(
        sponsorship.amount, for: callID, kind, of: sponsorship.person, under: sponsorship.policy, at: sponsorship.time)
    } catch {
      refusal = error
      return false
    }
    put(ledger)
    return true
  }

  /// Ends a reservation: by what the operation did cost, or without any cost.
  mutating func end(_ callID: Bytes32, cost: UInt128?) throws(ChainStoreError) {
    guard let row = try row(callID.bytes, of: ReservationRow.self) else { return }
    var ledger = try ledger()
    if let cost { ledger.settle(callID, cost: cost) } else { ledger.release(callID) }
    put(ledger)
    remove(row)
  }

  /// Ends a reservation as if the operation had cost all of it.
  mutating func spend(_ callID: Bytes32) throws(ChainStoreError) {
    try end(callID, cost: row(callID.bytes, of: ReservationRow.self)?.reservation.amount)
  }

  private mutating func put(_ ledger: SponsoringLedger) {
    for (interval, usage) in ledger.common { put(UsageRow(usage, of: .zero, in: interval)) }
    for (person, usages) in ledger.personal {
      for (interval, usage) in usages { put(UsageRow(usage, of: person, in: interval)) }
    }
    for (id, reservation) in ledger.reservations { put(ReservationRow(reservation, id: id)) }
  }
}
