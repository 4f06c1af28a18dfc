import BumpWallet

extension ChainTables {
  package func index() async throws -> ChainIndex? {
    let rows = try await run(ChainOperation(reading: { _ in [.key(.state, StateRow.key), .prefix(.headers, [])] }))
    guard let state = try rows.row(StateRow.key, of: StateRow.self) else { return nil }
    let headers = try rows.rows(of: HeaderRow.self).map(\.header)
    guard let tip = headers.last, state.finalized <= tip.number, ChainStep.isChain(headers) else {
      throw ChainStoreError.damagedRow
    }
    return ChainIndex(headers: headers, finalized: state.finalized)
  }

  package func height() async throws -> ChainIndexHeight? {
    let rows = try await run(ChainOperation(reading: { _ in [.key(.state, StateRow.key), .tip] }))
    guard let state = try rows.row(StateRow.key, of: StateRow.self) else { return nil }
    guard let tip = try rows.rows(of: HeaderRow.self).last?.header, state.finalized <= tip.number else {
      throw ChainStoreError.damagedRow
    }
    return ChainIndexHeight(tip: tip, finalized: state.finalized, revision: state.revision)
  }

  package func blocks(above number: UInt64) async throws -> IndexedBlocks? {
    guard number < IndexedEvent.blocks else { return nil }
    let next = Int64((number + 1) * IndexedEvent.positions).bigEndianBytes
    let top = [UInt8](repeating: 0xff, count: 9)
    let rows = try await run(
      ChainOperation(reading: { _ in
        [
          .key(.state, StateRow.key), .range(.headers, number.bigEndianBytes, top, limit: .max, isDescending: false),
          .range(.events, next, top, limit: .max, isDescending: false),
        ]
      }))
    let headers = try rows.rows(of: HeaderRow.self).map(\.header)
    guard let state = try rows.row(StateRow.key, of: StateRow.self), let parent = headers.first, parent.number == number
    else { return nil }
    guard ChainStep.isChain(headers) else { throw ChainStoreError.damagedRow }
    let events = Dictionary(grouping: try rows.rows(of: EventRow.self).map(\.event), by: \.blockHash)
    let blocks = headers.dropFirst().map { header in
      let placed = (events[header.hash] ?? []).map { PlacedEvent($0.event, transaction: $0.transaction) }
      return ChainStep.Block(header: header, events: placed)
    }
    return IndexedBlocks(parent: parent, blocks: blocks, finalized: state.finalized, revision: state.revision)
  }

  package func begin(behind header: BlockHeader, _ lease: ChainLease) async throws {
    _ = try await run(
      ChainOperation(lease, { _ in [] }) { rows in
        guard header.number < IndexedEvent.blocks else { throw ChainStoreError.badStep }
        let revision = try rows.row(StateRow.key, of: StateRow.self)?.revision ?? 0
        rows.forgetsIndex = true
        rows.put(HeaderRow(header))
        rows.put(StateRow(finalized: header.number, revision: revision))
      })
  }

  package func advance(_ step: ChainStep, _ lease: ChainLease) async throws {
    _ = try await run(ChainOperation(lease, { try step.questions($0) }) { try step.take(&$0) })
  }

  package func finalize(upTo number: UInt64, _ lease: ChainLease) async throws {
    _ = try await run(
      ChainOperation(lease, { _ in [.tip] }) { rows in
        guard var state = try rows.row(StateRow.key, of: StateRow.self),
          let tip = try rows.rows(of: HeaderRow.self).last?.header
        else { throw ChainStoreError.badStep }
        guard min(number, tip.number) > state.finalized else { return }
        state.finalized = min(number, tip.number)
        rows.put(state)
      })
  }
}

extension ChainQuery {
  fileprivate static let tip = ChainQuery.range(
    .headers, [], [UInt8](repeating: 0xff, count: 9), limit: 1, isDescending: true)
}

extension ChainStoreError {
  static let badStep = ChainStoreError(
    .badStep, "the chain's step does not continue the index, or contains what the contract cannot do")
}
