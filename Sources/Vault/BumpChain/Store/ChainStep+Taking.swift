import BumpWallet

extension ChainStep {
  /// How many headers that are not kept any more are deleted at once. The next step goes on.
  private static let mostDeleted = 1000

  static func isChain(_ headers: [BlockHeader]) -> Bool {
    zip(headers, headers.dropFirst()).allSatisfy { $1.parent == $0.hash && $1.number == $0.number + 1 }
  }

  /// The questions for the rows that the step changes.
  func questions(_ rows: ChainRows) throws(ChainStoreError) -> [ChainQuery] {
    guard parent.number < IndexedEvent.blocks else { throw .badStep }
    let next = parent.number + 1
    let above = Int64(next * IndexedEvent.positions).bigEndianBytes
    let top = [UInt8](repeating: 0xff, count: 9)
    var claims = Set(blocks.flatMap(\.events).map(\.event.ledgerID))
    for row in try rows.rows(of: EventRow.self) where row.event.block > parent.number {
      claims.insert(row.event.event.ledgerID)
    }
    return [
      .key(.headers, parent.number.bigEndianBytes),
      .range(.headers, next.bigEndianBytes, top, limit: .max, isDescending: false),
      .range(.headers, [], keepsFrom.bigEndianBytes, limit: Self.mostDeleted, isDescending: false),
      .range(.events, above, top, limit: .max, isDescending: false),
    ] + claims.flatMap { [ChainQuery.first(.events, $0.bytes), .first(.drafts, $0.bytes)] }
  }

  /// Takes the step on rows that were read.
  func take(_ rows: inout ChainRows) throws(ChainStoreError) {
    guard let state = try rows.row(StateRow.key, of: StateRow.self) else { throw .badStep }
    let headers = try rows.rows(of: HeaderRow.self).map(\.header)
    let above = headers.filter { $0.number > parent.number }
    guard headers.contains(where: { $0.hash == parent.hash && $0.number == parent.number }) else { throw .badStep }
    if above == blocks.map(\.header) { return }
    guard
      parent.number >= state.finalized, above.count == takesBack, let tip = blocks.last?.header,
      Self.isChain([parent] + blocks.map(\.header)), tip.number < IndexedEvent.blocks
    else { throw .badStep }
    for header in above { rows.remove(HeaderRow(header)) }
    try takeBack(&rows)
    for block in blocks { try take(block, &rows) }
    for header in headers where header.number < keepsFrom { rows.remove(HeaderRow(header)) }
  }

  private func takeBack(_ rows: inout ChainRows) throws(ChainStoreError) {
    for row in try rows.rows(of: EventRow.self) where row.event.block > parent.number {
      rows.remove(row)
      guard case .created(let ledgerID, _, _, _, _) = row.event.event else { continue }
      for old in try rows.rows(of: DraftRow.self) where old.draft.terms.ledgerID == ledgerID {
        let since = max(old.draft.since, Int64(clamping: parent.time))
        let draft = ChainDraft(claimID: old.draft.claimID, terms: old.draft.terms, since: since)
        rows.put(DraftRow(draft, isLocked: false))
      }
    }
  }

  private func take(_ block: Block, _ rows: inout ChainRows) throws(ChainStoreError) {
    guard UInt64(block.events.count) < IndexedEvent.positions else { throw .badStep }
    rows.put(HeaderRow(block.header))
    for (position, placed) in block.events.enumerated() {
      let id = placed.event.ledgerID
      let known = try rows.events(of: id)
      let account: Address
      switch (placed.event, known.created, known.settled) {
      case (.created(_, let sender, _, _, _), nil, _):
        account = sender
        for old in try rows.rows(of: DraftRow.self) where old.draft.terms.ledgerID == id {
          rows.put(DraftRow(old.draft, isLocked: true))
        }
      case (.claimed(_, let receiver), .some, nil): account = receiver
      case (.refunded, let created?, nil): account = created.account
      default: throw .badStep
      }
      let event = IndexedEvent(
        placed.event, transaction: placed.transaction, block: block.header.number, blockHash: block.header.hash,
        time: block.header.time, position: UInt64(position))
      rows.put(EventRow(event, account: account))
    }
  }
}

extension ChainRows {
  /// Returns the events of a claim that were read.
  func events(of ledgerID: Bytes32) throws(ChainStoreError) -> (created: EventRow?, settled: EventRow?) {
    let rows = try rows(of: EventRow.self).filter { $0.event.event.ledgerID == ledgerID }
    guard rows.count <= 2 else { throw .damagedRow }
    var (created, settled): (EventRow?, EventRow?)
    for row in rows {
      if case .created = row.event.event {
        guard created == nil, settled == nil else { throw .damagedRow }
        created = row
      } else {
        guard created != nil, settled == nil else { throw .damagedRow }
        settled = row
      }
    }
    return (created, settled)
  }
}
