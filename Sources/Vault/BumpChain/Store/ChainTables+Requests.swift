import BumpWallet

extension ChainTables {
  package func ask(
    _ request: ChainRequest, at now: Int64, replacing replaced: ChainRequestRow?, _ sponsorship: Sponsorship?
  ) async throws -> AskAnswer {
    let (key, callID) = (RequestRow.key(request.ledgerID, request.kind), request.callID(at: vault.contract))
    let rows = try await run(
      ChainOperation({ _ in
        [.key(.requests, key)] + (sponsorship.map { ChainQuery.sponsoring(callID, of: $0.person) } ?? [])
      }) { rows in
        guard try rows.request(key)?.row == replaced else { return }
        if let sponsorship, try !rows.reserve(sponsorship, callID, request.kind) { return }
        rows.put(RequestRow(ChainRequestRow(request: request, state: .waiting, asked: now), callID: callID))
      })
    if let refusal = rows.refusal { return .refused(refusal) }
    // A row that was to be replaced and is not there any more was deleted: it may be asked for anew.
    if let row = try rows.request(key)?.row { return .standing(row) }
    return try await ask(request, at: now, replacing: nil, sponsorship)
  }

  package func waiting(limit: Int) async throws -> [ChainRequestRow] {
    let rows = try await run(
      ChainOperation(reading: { _ in [.number(.requests, below: .max, limit: max(limit, 0))] }))
    return try rows.requests().map(\.row).sorted { $0.asked < $1.asked }
  }

  package func drop(_ request: ChainRequest, _ lease: ChainLease) async throws {
    let (key, callID) = (RequestRow.key(request.ledgerID, request.kind), request.callID(at: vault.contract))
    _ = try await run(
      ChainOperation(lease, { try [.key(.requests, key)] + $0.reserved(callID) }) { rows in
        guard let row = try rows.request(key), row.row.request == request, row.row.state == .waiting else { return }
        rows.put(row.with(.dropped))
        try rows.end(callID, cost: nil)
      })
  }
}

extension ChainRows {
  /// Returns the requests that were read.
  ///
  /// - Throws: `damaged` if one is of another contract.
  func requests() throws(ChainStoreError) -> [RequestRow] {
    let rows = try rows(of: RequestRow.self)
    guard rows.allSatisfy({ $0.callID == $0.row.request.callID(at: vault.contract) }) else { throw .damagedRow }
    return rows
  }

  func request(_ key: [UInt8]) throws(ChainStoreError) -> RequestRow? {
    guard let row = try row(key, of: RequestRow.self) else { return nil }
    guard row.callID == row.row.request.callID(at: vault.contract) else { throw .damagedRow }
    return row
  }
}
