import BumpClaims
import BumpPostgres
import BumpVault
import BumpWallet

/// The error for a condition that no longer holds. It rolls the transaction back.
struct Stale: Error {}

/// A change within a transaction, in two statements: the first locks the row that decides about the change and reads
/// the time, the second makes all updates.
///
/// The claim's row comes first, then the sender's count, then the balance, then the journal, so that no two changes
/// wait for each other. The parts of one statement have no order of their own (PostgreSQL's documentation, §7.8.2):
/// each takes its rows from the part before it, and so comes after it. Each has its own condition; if one does not
/// hold, no row reaches the end, and the transaction is rolled back. Only settlements share a transaction: see
/// `settle`.
struct VaultTransaction {
  let transaction: PostgresTransaction
  let presence: DatabaseGuard

  /// Runs an update that must change one row.
  ///
  /// - Throws: `Stale` if it changes none.
  private func update(_ statement: PostgresStatement, _ values: [PostgresValue]) async throws -> PostgresRow {
    let rows: PostgresRows
    do {
      rows = try await transaction.run(statement, values)
    } catch let error as PostgresError where error.isTaken {
      throw Stale()
    }
    guard rows.affected == 1, let row = rows.first else { throw Stale() }
    return row
  }

  /// Locks a claim's row and then reads the time, so that waiting for the lock does not make it old.
  private func lock(_ id: ClaimID) async throws -> StoreTime {
    guard let row = try await transaction.run(Self.lockClaim, id.value).first else { throw DamagedRow() }
    return try presence.time(row)
  }

  func write(_ draft: Change.Draft) async throws -> Written<Committed> {
    let (terms, now) = (draft.terms, try await lock(draft.claimID).now)
    let row = try await update(
      Self.draft,
      [
        draft.claimID.value, terms.ledgerID.value, terms.secretHash.value, terms.token.value,
        .int8(terms.amount.baseUnits), .int8(terms.expiry.unixSeconds), .int8(now), .int8(draft.lifetime),
      ])
    return Written(
      Committed(claim: draft.record(at: now)), by: try row.value("transaction"),
      row: .draft(draft.claimID, terms.ledgerID))
  }

  func write(_ deposit: Change.Deposit) async throws -> Written<Committed> {
    let (word, limits) = (deposit.authorization, deposit.limits)
    guard limits.pending > 0, limits.depositsPerDay > 0 else { throw Stale() }
    let time = try await lock(deposit.claimID)
    let entry = deposit.entry(at: time.now)
    let row = try await update(
      Self.deposit,
      entry.values + [
        deposit.claimID.value, .bytea(word.bytes), .int8(word.validBefore.unixSeconds), .int8(limits.draftLifetime),
        .int8(Day.of(time.now)), .int8(limits.pending), .int8(limits.depositsPerDay), .int8(time.clock),
      ])
    return Written(
      Committed(claim: deposit.record(entry), entry: entry), by: try row.value("transaction"), row: .entry(entry.hash))
  }

  func write(_ mint: Change.Mint) async throws -> Written<Committed> {
    guard let row = try await transaction.run(Self.lockToken, mint.token.value).first else { throw DamagedRow() }
    let entry = mint.entry(at: try presence.now(row))
    let updated = try await update(Self.mint, entry.values)
    return Written(Committed(entry: entry), by: try updated.value("transaction"), row: .entry(entry.hash))
  }
}

extension PostgresError {
  /// Whether an id that may be used once is already in use. A mint that is repeated within the same second is the same
  /// entry, with the same hash.
  fileprivate var isTaken: Bool {
    sqlState == .uniqueViolation && ["claims_by_ledger_id", "mints", "journal_hash_key"].contains(constraint)
  }
}

extension JournalEntry {
  /// The first eight parameters of the statements that add an entry: all of the entry but its kind.
  fileprivate var values: [PostgresValue] {
    [
      hash.value, .int8(time), ledgerID.value, from.value, to.value, token.value, .int8(amount.baseUnits),
      .bytea(evidence),
    ]
  }
}

/// The statements. Commits are durable whatever the server's default is: the first statement of each transaction sets
/// that.
extension VaultTransaction {
  /// The lock is in a part that is completed before the time is read. There is a row even without a claim.
  static let lockClaim = PostgresStatement(
    "vault_lock_claim", .text,
    sql: """
      WITH locked AS MATERIALIZED (SELECT * FROM bump_vault.claims WHERE claim_id = $1 FOR UPDATE)
      SELECT floor(extract(epoch FROM clock_timestamp()))::int8 AS now, present.*,
        CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END,
        locked.*
      FROM bump_vault.present LEFT JOIN locked ON true
      """)

  private static let lockToken = PostgresStatement(
    "vault_lock_token", .bytea,
    sql: """
      WITH locked AS MATERIALIZED (SELECT number FROM bump_vault.tokens WHERE address = $1 FOR UPDATE)
      SELECT floor(extract(epoch FROM clock_timestamp()))::int8 AS now, present.*,
        CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END,
        locked.number
      FROM bump_vault.present LEFT JOIN locked ON true
      """)

  private static let draft = PostgresStatement(
    "vault_draft", .text, .bytea, .bytea, .bytea, .int8, .int8, .int8, .int8,
    sql: """
      INSERT INTO bump_vault.claims
        (claim_id, ledger_id, secret_hash, token, amount, expiry, status, drafted_at)
      VALUES ($1, $2, $3, $4, $5, $6, 'none', $7)
      ON CONFLICT (claim_id) DO UPDATE SET
        ledger_id = excluded.ledger_id, secret_hash = excluded.secret_hash, token = excluded.token,
        amount = excluded.amount, expiry = excluded.expiry, drafted_at = excluded.drafted_at
      WHERE claims.status = 'none' AND claims.drafted_at <= $7 - $8
      RETURNING pg_current_xact_id()::text AS transaction
      """)

  /// The text of the status is not compared as it is: see `QueryPlans`. The index `claims_by_ledger_id` ensures that no other claim has used the ledger id. The sender may have reached
  /// neither limit, and its balance must hold the amount.
  static let deposit = PostgresStatement(
    "vault_deposit", .bytea, .int8, .bytea, .bytea, .bytea, .bytea, .int8, .bytea, .text, .bytea, .int8, .int8, .int8,
    .int8, .int8, .int8,
    sql: """
      WITH locked AS (
        UPDATE bump_vault.claims SET status = 'pending', drafted_at = NULL, sender = $4, signature = $10,
          valid_before = $11, deposit_hash = $1, deposited_at = $2
        WHERE claim_id = $9 AND status || '' = 'none' AND ledger_id = $3 AND drafted_at > $2 - $12
          AND $16 < expiry AND $16 < $11
        RETURNING claim_id),
      counted AS (
        INSERT INTO bump_vault.senders (address, pending, day, deposits) SELECT $4, 1, $13, 1 FROM locked
        ON CONFLICT (address) DO UPDATE SET
          pending = senders.pending + 1, day = greatest(senders.day, $13),
          deposits = CASE WHEN senders.day >= $13 THEN senders.deposits + 1 ELSE 1 END
        WHERE senders.pending < $14 AND (senders.day < $13 OR senders.deposits < $15)
        RETURNING pending),
      taken AS (
        UPDATE bump_vault.balances SET balance = balance - $7 FROM counted
        WHERE account = $4 AND token = $6 AND balance >= $7
        RETURNING balance),
      entry AS (
        INSERT INTO bump_vault.journal (hash, kind, time, ledger_id, sender, receiver, token, amount, evidence)
        SELECT $1, 2, $2, $3, $4, $5, $6, $7, $8 FROM taken
        RETURNING number)
      INSERT INTO bump_vault.unsealed (number) SELECT number FROM entry
      RETURNING pg_current_xact_id()::text AS transaction
      """)

  private static let mint = PostgresStatement(
    "vault_mint", .bytea, .int8, .bytea, .bytea, .bytea, .bytea, .int8, .bytea,
    sql: """
      WITH made AS (
        UPDATE bump_vault.tokens SET minted = minted + $7 WHERE address = $6 AND minted <= 9223372036854775807 - $7
        RETURNING minted),
      paid AS (
        INSERT INTO bump_vault.balances (account, token, balance) SELECT $5, $6, $7 FROM made
        ON CONFLICT (account, token) DO UPDATE SET balance = balances.balance + excluded.balance
        RETURNING balance),
      entry AS (
        INSERT INTO bump_vault.journal (hash, kind, time, ledger_id, sender, receiver, token, amount, evidence)
        SELECT $1, 1, $2, $3, $4, $5, $6, $7, $8 FROM paid
        RETURNING number)
      INSERT INTO bump_vault.unsealed (number) SELECT number FROM entry
      RETURNING pg_current_xact_id()::text AS transaction
      """)
}
