package import BumpClaims
package import BumpVault
package import BumpWallet
import Synchronization

/// A store that keeps nothing, and shows plainly what the others do in SQL.
package final class InMemoryVaultStore: VaultStore {
  private struct Sealed {
    let batch: Batch
    let entries: [JournalEntry]
  }

  private struct Rows {
    var record = ClockRecord.new
    var time = StoreTime(now: 0, clock: 0)
    var claims: [ClaimID: ClaimRecord] = [:]
    var used: [Bytes32: ClaimID] = [:]
    var balances: [BalanceKey: Int64] = [:]
    var minted: [Address: Int64] = [:]
    var mints: [Bytes32: JournalEntry] = [:]
    var uses: [Address: SenderUsage] = [:]
    var journal: [JournalEntry] = []
    var batches: [Sealed] = []
    var sealed = 0
  }

  private let vault: VaultIdentity
  private let clock: @Sendable () -> MachineTime
  private let rows = Mutex(Rows())

  package init(_ vault: VaultIdentity, clock: @escaping @Sendable () -> MachineTime) {
    (self.vault, self.clock) = (vault, clock)
  }

  /// At the store's time, which never runs backwards.
  private func at<Value: Sendable>(_ body: (inout Rows, Int64) throws -> sending Value) rethrows -> Value {
    try rows.withLock { rows in
      let reading = clock()
      let record = rows.record
      (rows.time, rows.record) = (record.time(at: reading), record.advanced(to: reading))
      return try body(&rows, rows.time.now)
    }
  }

  package func identity() async throws -> VaultIdentity { vault }

  package func rows(of claim: ClaimID) async throws -> ClaimRows {
    at { rows, _ in ClaimRows(time: rows.time, claim: rows.claims[claim]) }
  }

  package func rows(of claim: ClaimID, from sender: Address) async throws -> DepositRows {
    at { rows, _ in
      let record = rows.claims[claim]
      let holder = record.flatMap { rows.used[$0.terms.ledgerID] }
      return DepositRows(
        claim: ClaimRows(time: rows.time, claim: record), isLedgerIDUsed: holder != nil && holder != claim,
        balance: record.flatMap { rows.balances[BalanceKey(sender, $0.terms.token)] } ?? 0,
        use: rows.uses[sender] ?? SenderUsage())
    }
  }

  package func claimID(of ledgerID: Bytes32) async throws -> ClaimID? { at { rows, _ in rows.used[ledgerID] } }

  package func rows(ofMint id: Bytes32, of token: Address) async throws -> MintRows {
    at { rows, _ in MintRows(earlier: rows.mints[id], minted: rows.minted[token] ?? 0) }
  }

  package func commit(_ change: Change) async throws -> Committed? {
    at { rows, now in
      switch change {
      case .draft(let draft): Self.write(draft, &rows, now)
      case .deposit(let deposit): Self.write(deposit, &rows, now)
      case .claim(let claim): Self.write(claim, &rows, now)
      case .refund(let refund): Self.write(refund, &rows, now)
      case .mint(let mint): Self.write(mint, &rows, now)
      }
    }
  }

  private static func write(_ draft: Change.Draft, _ rows: inout Rows, _ now: Int64) -> Committed? {
    guard rows.claims[draft.claimID]?.hasLapsed(at: now, lifetime: draft.lifetime) ?? true else { return nil }
    let record = draft.record(at: now)
    rows.claims[draft.claimID] = record
    return Committed(claim: record)
  }

  private static func write(_ deposit: Change.Deposit, _ rows: inout Rows, _ now: Int64) -> Committed? {
    let (terms, sender) = (deposit.terms, deposit.authorization.sender)
    let use = rows.uses[sender] ?? SenderUsage()
    let holding = BalanceKey(sender, terms.token)
    guard
      let claim = rows.claims[deposit.claimID], claim.status == .none, claim.terms == terms,
      !claim.hasLapsed(at: now, lifetime: deposit.limits.draftLifetime), rows.used[terms.ledgerID] == nil,
      !terms.expiry.hasPassed(at: rows.time.clock),
      !deposit.authorization.validBefore.hasPassed(at: rows.time.clock),
      use.pending < deposit.limits.pending, use.deposits(at: now) < deposit.limits.depositsPerDay,
      let balance = rows.balances[holding], balance >= terms.amount.baseUnits
    else { return nil }
    let entry = deposit.entry(at: now)
    let record = deposit.record(entry)
    rows.claims[deposit.claimID] = record
    rows.used[terms.ledgerID] = deposit.claimID
    rows.uses[sender] = use.deposited(at: now)
    rows.balances[holding] = balance - terms.amount.baseUnits
    rows.journal.append(entry)
    return Committed(claim: record, entry: entry)
  }

  private static func write(_ change: Change.Claim, _ rows: inout Rows, _ now: Int64) -> Committed? {
    guard
      let claim = rows.claims[change.claimID], claim.status == .pending, !claim.terms.expiry.hasPassed(at: now)
    else { return nil }
    return pay(claim, by: change.entry(at: now, of: claim), &rows)
  }

  private static func write(_ change: Change.Refund, _ rows: inout Rows, _ now: Int64) -> Committed? {
    guard
      let claim = rows.claims[change.claimID], case .pending(let deposit) = claim.state,
      claim.terms.expiry.hasPassed(at: now)
    else { return nil }
    return pay(claim, by: change.entry(at: now, of: claim, deposit), &rows)
  }

  private static func pay(_ claim: ClaimRecord, by entry: JournalEntry, _ rows: inout Rows) -> Committed? {
    guard let record = claim.settled(by: entry), let sender = claim.deposit?.authorization.sender else { return nil }
    rows.claims[claim.claimID] = record
    rows.uses[sender] = rows.uses[sender]?.settled()
    rows.balances[BalanceKey(entry.to, entry.token), default: 0] += entry.amount.baseUnits
    rows.journal.append(entry)
    return Committed(claim: record, entry: entry)
  }

  private static func write(_ mint: Change.Mint, _ rows: inout Rows, _ now: Int64) -> Committed? {
    let (total, overflow) = rows.minted[mint.token, default: 0].addingReportingOverflow(mint.amount.baseUnits)
    guard rows.mints[mint.id] == nil, !overflow else { return nil }
    let entry = mint.entry(at: now)
    rows.minted[mint.token] = total
    rows.mints[mint.id] = entry
    rows.balances[BalanceKey(mint.receiver, mint.token), default: 0] += mint.amount.baseUnits
    rows.journal.append(entry)
    return Committed(entry: entry)
  }

  package func balances(of account: Address) async throws -> [Address: Int64] {
    at { rows, _ in
      rows.balances.reduce(into: [:]) { balances, row in
        if row.key.account == account, row.value != 0 { balances[row.key.token] = row.value }
      }
    }
  }

  package func history(of account: Address, before number: Int64?, limit: Int) async throws -> [NumberedEntry] {
    at { rows, _ in
      let all = rows.journal.enumerated().map { NumberedEntry(number: Int64($0.offset) + 1, entry: $0.element) }
      let theirs = all.filter { [$0.entry.from, $0.entry.to].contains(account) && $0.number < number ?? .max }
      return Array(theirs.reversed().prefix(limit))
    }
  }

  package func keepTime() async throws { at { _, _ in } }

  @discardableResult package func confirmClock() async throws -> StoreTime {
    let reading = clock()
    return at { rows, now in
      rows.record = ClockRecord(confirmed: reading, notBefore: now)
      return rows.record.time(at: reading)
    }
  }

  package func removeDrafts(lifetime: Int64) async throws -> Int {
    at { rows, now in
      let lapsed = rows.claims.values.filter { $0.hasLapsed(at: now, lifetime: lifetime) }
      for claim in lapsed { rows.claims[claim.claimID] = nil }
      return lapsed.count
    }
  }

  package func seal(limit: Int) async throws -> Batch? {
    at { rows, now in
      let entries = Array(rows.journal[rows.sealed...].prefix(limit))
      guard !entries.isEmpty else { return nil }
      let last = rows.batches.last.map { ($0.batch.number, $0.batch.hash) }
      let batch = Batch(after: last, at: now, entries: entries.map(\.hash))
      rows.batches.append(Sealed(batch: batch, entries: entries))
      rows.sealed += entries.count
      return batch
    }
  }

  package func batch(_ number: Int64) async throws -> SealedBatch? {
    at { rows, _ in
      guard rows.batches.indices.contains(Int(number) - 1) else { return nil }
      let sealed = rows.batches[Int(number) - 1]
      return SealedBatch(
        batch: sealed.batch, hash: sealed.batch.hash, entries: sealed.entries.map { Self.audited($0, rows) })
    }
  }

  package func snapshot() async throws -> StoreSnapshot {
    at { rows, _ in
      StoreSnapshot(
        batches: Int64(rows.batches.count),
        unsealed: rows.journal[rows.sealed...].map { Self.audited($0, rows) },
        balances: rows.balances.filter { $0.value != 0 }, minted: rows.minted,
        claims: rows.claims.values.filter { $0.status != .none }, pending: rows.uses.mapValues(\.pending),
        vaults: [vault.vault.vault])
    }
  }

  private static func audited(_ entry: JournalEntry, _ rows: Rows) -> AuditedEntry {
    let claim = entry.kind == .mint ? nil : rows.used[entry.ledgerID].flatMap { rows.claims[$0] }
    return AuditedEntry(entry: entry, hash: entry.hash, terms: claim?.terms)
  }
}
