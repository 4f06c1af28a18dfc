package import BumpClaims
package import BumpWallet

extension ChainTables {
  package func add(_ draft: ChainDraft, lapsingBefore time: Int64) async throws -> ChainClaimRow? {
    let (key, ledgerID) = (Array(draft.claimID.description.utf8), draft.terms.ledgerID)
    let rows = try await run(
      ChainOperation({ rows in
        let claims = Set(try rows.rows(of: DraftRow.self).map(\.draft.terms.ledgerID) + [ledgerID])
        return [.key(.state, StateRow.key), .key(.drafts, key), .first(.drafts, ledgerID.bytes)]
          + claims.flatMap(ChainQuery.claim)
      }) { rows in
        let old = try rows.rows(of: DraftRow.self)
        for row in old where try !rows.hasLapsed(row, before: time) { return }
        for row in old { try rows.removeLapsed(row) }
        rows.put(DraftRow(draft, isLocked: try rows.events(of: ledgerID).created != nil))
      })
    guard let row = try rows.row(key, of: DraftRow.self), row.draft.terms == draft.terms else { return nil }
    return try rows.claim(ledgerID)
  }

  package func claim(_ id: ClaimID) async throws -> ChainClaimRow? {
    let key = Array(id.description.utf8)
    let rows = try await run(
      ChainOperation(reading: { rows in
        let row = try rows.row(key, of: DraftRow.self)
        return [.key(.drafts, key)] + (row.map { ChainQuery.claim($0.draft.terms.ledgerID) } ?? [])
      }))
    return try rows.row(key, of: DraftRow.self).flatMap { try rows.claim($0.draft.terms.ledgerID) }
  }

  package func claim(ledgerID: Bytes32) async throws -> ChainClaimRow? {
    let rows = try await run(
      ChainOperation(reading: { _ in [.first(.drafts, ledgerID.bytes)] + ChainQuery.claim(ledgerID) }))
    return try rows.claim(ledgerID)
  }

  package func history(of account: Address, before number: Int64?, limit: Int) async throws -> [ChainMovement] {
    let number = max(number ?? .max, 0)
    let rows = try await run(
      ChainOperation(reading: { rows in
        let claims = Set(try rows.rows(of: EventRow.self).map(\.event.event.ledgerID))
        return [.second(.events, account.bytes, below: number.bigEndianBytes, limit: max(limit, 0))]
          + claims.map { .first(.events, $0.bytes) }
      }))
    let events = try rows.rows(of: EventRow.self).reversed()
    return try events.lazy.filter { $0.account == account && $0.event.number < number }.prefix(max(limit, 0)).map {
      row in
      guard let created = try rows.events(of: row.event.event.ledgerID).created else {
        throw ChainStoreError.damagedRow
      }
      return ChainMovement(row.event, created: created.event)
    }
  }

  package func removeLapsed(before time: Int64) async throws -> Int {
    let rows = try await run(
      ChainOperation({ rows in
        [.key(.state, StateRow.key), .number(.drafts, below: time, limit: 500)]
          + (try rows.rows(of: DraftRow.self).flatMap { ChainQuery.claim($0.draft.terms.ledgerID) })
      }) { rows in
        for row in try rows.rows(of: DraftRow.self) where try rows.hasLapsed(row, before: time) {
          try rows.removeLapsed(row)
        }
      })
    return rows.changes.deleted.count
  }
}

extension ChainQuery {
  /// The events and the requests of a claim.
  fileprivate static func claim(_ ledgerID: Bytes32) -> [ChainQuery] {
    [.first(.events, ledgerID.bytes), .prefix(.requests, ledgerID.bytes)]
  }
}

extension ChainRows {
  /// Returns a claim whose rows were read; `nil` if there are none.
  fileprivate func claim(_ ledgerID: Bytes32) throws(ChainStoreError) -> ChainClaimRow? {
    let drafts = try rows(of: DraftRow.self).filter { $0.draft.terms.ledgerID == ledgerID }
    let (events, requests) = (try events(of: ledgerID), try requests(of: ledgerID))
    guard drafts.count <= 1, drafts.allSatisfy({ $0.isLocked == (events.created != nil) }) else { throw .damagedRow }
    guard !drafts.isEmpty || events.created != nil || !requests.isEmpty else { return nil }
    return ChainClaimRow(
      ledgerID: ledgerID, draft: drafts.first?.draft, created: events.created?.event, settled: events.settled?.event,
      requests: requests.mapValues(\.row))
  }

  fileprivate func hasLapsed(_ row: DraftRow, before time: Int64) throws(ChainStoreError) -> Bool {
    guard !row.isLocked, row.draft.since < time else { return false }
    let finalized = try self.row(StateRow.key, of: StateRow.self)?.finalized ?? 0
    return try requests(of: row.draft.terms.ledgerID).values.allSatisfy { request in
      switch request.row.state {
      case .dropped: true
      case .mined(_, let block, let isSuccessful): !isSuccessful && block <= finalized
      case .waiting, .submitted: false
      }
    }
  }

  fileprivate mutating func removeLapsed(_ row: DraftRow) throws(ChainStoreError) {
    for request in try requests(of: row.draft.terms.ledgerID).values { remove(request) }
    remove(row)
  }

  private func requests(of ledgerID: Bytes32) throws(ChainStoreError) -> [SponsoredKind: RequestRow] {
    var found: [SponsoredKind: RequestRow] = [:]
    for row in try requests() where row.row.request.ledgerID == ledgerID { found[row.row.request.kind] = row }
    return found
  }
}
