package import BumpWallet

extension ChainTables {
  package func entries(of key: Address) async throws -> [OutboxEntry] {
    let rows = try await run(ChainOperation(reading: { _ in [.prefix(.entries, key.bytes)] }))
    return try rows.rows(of: EntryRow.self).map { row in
      guard row.relayer == key, row.entry.isSigned(by: key, chainID: vault.chainID) else {
        throw ChainStoreError.damagedRow
      }
      return row.entry
    }
  }

  package func write(_ entry: OutboxEntry, _ lease: ChainLease) async throws {
    let key = EntryRow.key(lease.key, entry.nonce)
    _ = try await run(
      ChainOperation(lease, { _ in [.key(.entries, key), .first(.requests, entry.call.id.bytes)] }) { rows in
        var entry = entry
        if let old = try rows.row(key, of: EntryRow.self)?.entry {
          guard old.call == entry.call else {
            throw ChainStoreError(.failed, "the outbox has another call with that nonce")
          }
          // A transaction that was signed may be in the chain: it is never forgotten.
          let hashes = Set(entry.hashes)
          entry.attempts = old.attempts.filter { !hashes.contains($0.transaction.hash) } + entry.attempts
        }
        rows.put(EntryRow(entry, of: lease.key))
        let state = entry.receipt.map(ChainRequestRow.State.init) ?? .submitted(entry.latest.transaction.hash)
        try rows.move(entry.call.id, to: state)
      })
  }

  package func finish(_ entry: OutboxEntry, _ receipt: TransactionReceipt?, _ lease: ChainLease) async throws {
    let (key, id) = (EntryRow.key(lease.key, entry.nonce), entry.call.id)
    _ = try await run(
      ChainOperation(lease, { try [.key(.entries, key), .first(.requests, id.bytes)] + $0.reserved(id) }) { rows in
        guard let row = try rows.row(key, of: EntryRow.self), row.entry.call == entry.call else { return }
        rows.remove(row)
        try rows.end(id, cost: receipt?.cost)
        try rows.move(id, to: receipt.map(ChainRequestRow.State.init) ?? .dropped)
      })
  }

  package func relayers() async throws -> [Address] {
    // Who has written an entry had a lease. A key may have many entries.
    let rows = try await run(
      ChainOperation(reading: { rows in
        let keys = try rows.rows(of: LeaseRow.self).map(\.lease.key)
        return [.prefix(.leases, [])] + keys.map { .prefix(.entries, $0.bytes, limit: 1) }
      }))
    return try rows.rows(of: EntryRow.self).map(\.relayer)
  }

  package func handOver(_ entry: OutboxEntry, mayBeCarried: Bool, _ lease: ChainLease) async throws {
    let (key, id) = (EntryRow.key(lease.key, entry.nonce), entry.call.id)
    _ = try await run(
      ChainOperation(lease, { try [.key(.entries, key), .first(.requests, id.bytes)] + $0.reserved(id) }) { rows in
        guard let row = try rows.row(key, of: EntryRow.self), row.entry.call == entry.call else { return }
        rows.remove(row)
        if mayBeCarried { try rows.spend(id) }
        try rows.move(id, to: .waiting)
      })
  }
}

extension ChainRequestRow.State {
  fileprivate init(_ receipt: TransactionReceipt) {
    self = .mined(receipt.transaction, block: receipt.blockNumber, isSuccessful: receipt.isSuccessful)
  }
}

extension ChainRows {
  fileprivate mutating func move(_ callID: Bytes32, to state: ChainRequestRow.State) throws(ChainStoreError) {
    for row in try requests() where row.callID == callID { put(row.with(state)) }
  }
}
