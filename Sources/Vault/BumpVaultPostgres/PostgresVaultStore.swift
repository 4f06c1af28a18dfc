public import BumpClaims
import BumpPostgres
public import BumpVault
public import BumpWallet

/// A vault's store in a PostgreSQL database, for several vault processes at once.
///
/// Every change is on the server's disk when its call returns. Conditional updates decide which of two changes comes
/// first; no lock outlives its transaction. If the answer to a commit is lost, the store finds out whether it was
/// committed before it answers.
public final class PostgresVaultStore: VaultStore {
  let pool: PostgresPool
  let presence: DatabaseGuard
  let writing: TransactionWriter
  private let looks: CallBatcher<ClaimID, ClaimRows>
  let settlements: CallBatcher<Settling, Settled>
  /// Rings when a change has added to the journal.
  let bell = WakeSignal()

  init(_ pool: PostgresPool, _ presence: DatabaseGuard, delays: any Clock<Duration>) {
    let writing = TransactionWriter(pool: pool, presence: presence, delays: delays)
    (self.pool, self.presence, self.writing) = (pool, presence, writing)
    looks = CallBatcher { await VaultReading.rows(of: $0, pool, presence) }
    settlements = CallBatcher { await writing.settle($0) }
  }

  /// Waits until the calls that have begun are completed, and closes the connections.
  public func close() async { await pool.close() }

  /// Returns the database's time, in milliseconds since 1970.
  ///
  /// - Throws: `VaultStoreError`.
  public func time() async throws -> Int64 {
    try await ended { store in
      guard let row = try await store.pool.run(Self.time).first else { throw DamagedRow() }
      return try row.value("time")
    }
  }

  private static let time = PostgresStatement(
    "vault_time", sql: "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::int8 AS time")

  public func identity() async throws -> VaultIdentity {
    try await ended { store in
      try await store.pool.transaction(.repeatableRead) { try await VaultReading(transaction: $0).identity() }
    }
  }

  public func rows(of claim: ClaimID) async throws -> ClaimRows {
    // A call that has begun is completed, even if its task is cancelled.
    do { return try await looks(claim) } catch { throw VaultStoreError(storing: error) }
  }

  public func rows(of claim: ClaimID, from sender: Address) async throws -> DepositRows {
    try await ended { store in
      guard let row = try await store.pool.run(VaultReading.deposit, claim.value, sender.value).first else {
        throw DamagedRow()
      }
      return DepositRows(
        claim: try ClaimRows(row, store.presence), isLedgerIDUsed: try row.value("in_use"),
        balance: try row.optional("balance") ?? 0, use: try SenderUsage(row))
    }
  }

  public func claimID(of ledgerID: Bytes32) async throws -> ClaimID? {
    try await ended { store in
      try await store.pool.run(VaultReading.claimID, ledgerID.value).first.map {
        try ClaimID($0.value("claim_id", as: String.self))
      }
    }
  }

  public func rows(ofMint id: Bytes32, of token: Address) async throws -> MintRows {
    try await ended { store in
      guard let row = try await store.pool.run(VaultReading.mint, id.value, token.value).first else {
        throw DamagedRow()
      }
      let isThere = try row.optional("kind", as: Int64.self) != nil
      return MintRows(earlier: isThere ? try JournalEntry(row) : nil, minted: try row.optional("minted") ?? 0)
    }
  }

  public func commit(_ change: Change) async throws -> Committed? {
    let committed =
      switch change {
      case .draft(let draft): try await ended { try await $0.writing.write { try await $0.write(draft) } }
      case .deposit(let deposit): try await ended { try await $0.writing.write { try await $0.write(deposit) } }
      case .claim(let claim): try await settle(.claim(claim))
      case .refund(let refund): try await settle(.refund(refund))
      case .mint(let mint): try await ended { try await $0.writing.write { try await $0.write(mint) } }
      }
    if committed?.entry != nil { bell.ring() }
    return committed
  }

  /// Settles a claim in one transaction with others that wait. If that fails because of one of them, the claim gets a
  /// transaction of its own.
  private func settle(_ settling: Settling) async throws -> Committed? {
    let settled: Settled
    do { settled = try await settlements(settling) } catch { throw VaultStoreError(storing: error) }
    switch settled {
    case .done(let committed): return committed
    case .apart: return try await ended { try await $0.writing.write { try await $0.settle([settling]) }?.first ?? nil }
    }
  }

  public func balances(of account: Address) async throws -> [Address: Int64] {
    try await ended { store in
      try await store.pool.run(VaultReading.balances, account.value)
        .reduce(into: [:]) { $0[try $1.address("token")] = try $1.value("balance") }
    }
  }

  public func history(of account: Address, before number: Int64?, limit: Int) async throws -> [NumberedEntry] {
    try await ended { store in
      try await store.pool.run(VaultReading.history, account.value, .int8(number ?? .max), .int8(Int64(limit)))
        .map { NumberedEntry(number: try $0.value("number"), entry: try JournalEntry($0)) }
    }
  }

  @discardableResult public func removeDrafts(lifetime: Int64) async throws -> Int {
    try await ended { store in
      guard let row = try await store.pool.run(DatabaseGuard.statement).first else { throw DamagedRow() }
      let now = try store.presence.now(row)
      return try await store.pool.run(VaultReading.removeDrafts, .int8(now - lifetime)).affected
    }
  }

  @discardableResult public func seal(limit: Int) async throws -> Batch? {
    let batch = try await ended { try await $0.writing.write { try await $0.seal(limit: limit) } }
    if let batch { await announce(batch) }
    return batch
  }

  public func batch(_ number: Int64) async throws -> SealedBatch? {
    try await ended { store in
      try await store.pool.transaction(.repeatableRead) { try await VaultReading(transaction: $0).batch(number) }
    }
  }

  /// All of it is read in one transaction, as of one moment: servers go on meanwhile, and wait for nothing.
  public func auditing(
    _ body: @escaping @Sendable (any AuditSource) async throws -> AuditReport
  ) async throws -> AuditReport {
    try await ended { store in
      try await store.pool.transaction(.repeatableRead) { transaction in
        try await transaction.run(script: "SET TRANSACTION READ ONLY")
        return try await body(Snapshot(reading: VaultReading(transaction: transaction)))
      }
    }
  }

  public func snapshot() async throws -> StoreSnapshot {
    try await ended { store in
      try await store.pool.transaction(.repeatableRead) { try await VaultReading(transaction: $0).snapshot() }
    }
  }

  /// Runs the body to its end, even if the calling task is cancelled.
  func ended<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresVaultStore) async throws -> Value
  ) async throws -> Value {
    do {
      return try await Task { try await body(self) }.value
    } catch {
      throw VaultStoreError(storing: error)
    }
  }
}

extension VaultStoreError {
  /// Makes an error for a person from an error of the database, without the values of a statement.
  init(storing error: any Error, opening isOpening: Bool = false) {
    switch error {
    case let error as VaultStoreError: self = error
    case is DamagedRow, is WalletError, is ClaimError:
      self.init(.damaged, "the vault's database is damaged: a row in it is not what the vault has written")
    default:
      let failure = DatabaseFailure(error, of: "the vault's database", opening: isOpening)
      self.init(failure.isUnusable ? .unusable : .failed, failure.reason, remedy: failure.remedy)
    }
  }
}
