package import BumpWallet

extension ChainTables {
  package func takeLease(of key: Address, holder: Bytes32, seconds: Int64) async throws -> LeaseAnswer {
    let rows = try await run(
      ChainOperation({ _ in [.key(.leases, key.bytes)] }) { rows in
        let row = try rows.row(key.bytes, of: LeaseRow.self)
        let until = rows.now + min(max(seconds, 1), 86_400)
        switch row {
        case let row? where row.lease.holder == holder: rows.put(LeaseRow(row.lease, until: until))
        case let row? where row.until > rows.now: break
        default:
          let lease = ChainLease(key: key, holder: holder, fence: (row?.lease.fence ?? 0) + 1)
          rows.put(LeaseRow(lease, until: until))
        }
      })
    guard let row = try rows.row(key.bytes, of: LeaseRow.self) else { throw ChainStoreError.damagedRow }
    return row.lease.holder == holder ? .held(row.lease) : .other(seconds: row.until - rows.now)
  }

  package func leaseSeconds(of key: Address) async throws -> Int64? {
    let rows = try await run(ChainOperation(reading: { _ in [.key(.leases, key.bytes)] }))
    guard let row = try rows.row(key.bytes, of: LeaseRow.self), row.until > rows.now else { return nil }
    return row.until - rows.now
  }

  package func giveUp(_ lease: ChainLease) async throws {
    _ = try await run(
      ChainOperation({ _ in [.key(.leases, lease.key.bytes)] }) { rows in
        guard try rows.row(lease.key.bytes, of: LeaseRow.self)?.lease == lease else { return }
        rows.put(LeaseRow(lease, until: 0))
      })
  }
}
