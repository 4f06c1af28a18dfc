import BumpClaims
import BumpPostgres
import BumpVault
import BumpWallet

/// A change that ends a pending claim.
enum Settling: Sendable {
  case claim(Change.Claim)
  case refund(Change.Refund)

  var claimID: ClaimID {
    switch self {
    case .claim(let claim): claim.claimID
    case .refund(let refund): refund.claimID
    }
  }

  func entry(at now: Int64, of claim: ClaimRecord, _ deposit: ClaimRecord.Deposit) -> JournalEntry {
    switch self {
    case .claim(let change): change.entry(at: now, of: claim)
    case .refund(let change): change.entry(at: now, of: claim, deposit)
    }
  }
}

extension VaultTransaction {
  /// Settles the claims that are pending and whose condition holds. A claim whose condition does not hold does not
  /// affect the others.
  ///
  /// All transactions lock in the same order, so that no two wait for each other: the claims by their ids, then the
  /// senders by their addresses, then the balances by account and token.
  ///
  /// - Parameters:
  ///   - settlings: the changes. If there are several for one claim, the first counts.
  ///   - limit: how long to wait for one lock; `nil` for the server's setting.
  /// - Returns: the results in the order of `settlings`, `nil` for a change whose condition does not hold; `nil` if
  ///   none holds.
  func settle(_ settlings: [Settling], lockLimit limit: Duration? = nil) async throws -> Written<[Committed?]>? {
    var (claims, now) = try await lock(settlings.map(\.claimID), limit)
    let settlements = try settlings.map { settling -> Settlement? in
      guard let claim = claims.removeValue(forKey: settling.claimID) else { return nil }
      guard case .pending(let deposit) = claim.state else { throw DamagedRow() }
      return Settlement(claim: claim, entry: settling.entry(at: max(now, deposit.time), of: claim, deposit))
    }
    let possible = settlements.compactMap(\.self)
    if possible.isEmpty { return nil }
    let rows = try await transaction.run(Self.settle, Self.columns(of: possible))
    guard let first = rows.first else { return nil }
    let settled = try Set(
      rows.map { row in
        // The row must also have reached its sender's count, its receiver's balance and the journal.
        guard try row.value("is_entered") else { throw DamagedRow() }
        return try row.value("claim_id", as: String.self)
      })
    let committed = settlements.map { settlement in
      settlement.flatMap { settled.contains($0.claim.claimID.description) ? $0.committed : nil }
    }
    guard let entry = committed.lazy.compactMap({ $0?.entry?.hash }).first else { throw DamagedRow() }
    return Written(committed, by: try first.value("transaction"), row: .entry(entry))
  }

  /// A pending claim, and the entry that ends it.
  private struct Settlement {
    let claim: ClaimRecord
    let entry: JournalEntry

    var committed: Committed? { claim.settled(by: entry).map { Committed(claim: $0, entry: entry) } }
  }

  /// Locks the rows of the claims that are pending, and then reads the time, so that waiting for a lock does not make
  /// it old.
  private func lock(
    _ ids: [ClaimID], _ limit: Duration?
  ) async throws -> (claims: [ClaimID: ClaimRecord], now: Int64) {
    let milliseconds = limit.map { PostgresValue.text("\(Int64($0 / .milliseconds(1)))") } ?? .null
    let rows = try await transaction.run(Self.lockClaims, .texts(ids.map(\.description)), milliseconds)
    // Each row has the time after its own lock.
    guard let last = rows.last else { throw DamagedRow() }
    let claims = try rows.compactMap(ClaimRecord.init)
    return (Dictionary(uniqueKeysWithValues: claims.map { ($0.claimID, $0) }), try presence.now(last))
  }

  private static func columns(of settlements: [Settlement]) -> [PostgresValue] {
    let entries = settlements.map(\.entry)
    return [
      .byteas(entries.map(\.hash.bytes)), .int8s(entries.map { Int64($0.kind.rawValue) }), .int8s(entries.map(\.time)),
      .byteas(entries.map(\.ledgerID.bytes)), .byteas(entries.map(\.from.bytes)), .byteas(entries.map(\.to.bytes)),
      .byteas(entries.map(\.token.bytes)), .int8s(entries.map(\.amount.baseUnits)), .byteas(entries.map(\.evidence)),
      .texts(settlements.map(\.claim.claimID.description)),
    ]
  }

  static let lockClaims = PostgresStatement(
    "vault_lock_claims", .texts, .text,
    sql: """
      WITH locked AS MATERIALIZED (
        SELECT * FROM bump_vault.claims
        WHERE claim_id = ANY ($1) AND status || '' = 'pending'
          AND (SELECT set_config('lock_timeout', coalesce($2, current_setting('lock_timeout')), true)) IS NOT NULL
        ORDER BY claim_id FOR UPDATE)
      SELECT floor(extract(epoch FROM clock_timestamp()))::int8 AS now, present.*,
        CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END,
        locked.*
      FROM bump_vault.present LEFT JOIN locked ON true
      """)

  /// A claim, of kind 3, is possible before the expiry, and a refund, of kind 4, from the expiry on.
  ///
  /// Each sender is found by its key, one after the other in their order: a join would look for all of them again for
  /// each, and locks in the order of their rows.
  static let settle = PostgresStatement(
    "vault_settle", .byteas, .int8s, .int8s, .byteas, .byteas, .byteas, .byteas, .int8s, .byteas, .texts,
    sql: """
      WITH given AS (
        SELECT * FROM unnest(
          $1::bytea[], $2::int8[], $3::int8[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[], $8::int8[],
          $9::bytea[], $10::text[])
        AS given (hash, kind, time, ledger_id, sender, receiver, token, amount, evidence, claim_id)),
      settled AS (
        UPDATE bump_vault.claims SET status = CASE kind WHEN 3 THEN 'claimed' ELSE 'refunded' END,
          receiver = given.receiver, settlement_hash = hash, settled_at = time
        FROM given
        WHERE claims.claim_id = given.claim_id AND status || '' = 'pending'
          AND (kind = 3 AND time < expiry OR kind = 4 AND time >= expiry)
        RETURNING claims.sender AS depositor, given.*),
      counts AS (SELECT depositor, count(*) AS settled FROM settled GROUP BY depositor),
      locked AS (
        SELECT sender.address, ordered.settled FROM (SELECT * FROM counts ORDER BY depositor) AS ordered
          CROSS JOIN LATERAL (
            SELECT address FROM bump_vault.senders WHERE address = ordered.depositor FOR UPDATE) AS sender),
      counted AS (
        UPDATE bump_vault.senders SET pending = pending - locked.settled FROM locked
        WHERE senders.address = locked.address AND senders.address = ANY (ARRAY(SELECT depositor FROM counts))
        RETURNING senders.address),
      paid AS (
        INSERT INTO bump_vault.balances (account, token, balance)
        SELECT receiver, token, sum(amount)::int8 FROM settled JOIN counted ON address = depositor
        GROUP BY receiver, token ORDER BY receiver, token
        ON CONFLICT (account, token) DO UPDATE SET balance = balances.balance + excluded.balance
        RETURNING account, token),
      entry AS (
        INSERT INTO bump_vault.journal (hash, kind, time, ledger_id, sender, receiver, token, amount, evidence)
        SELECT hash, kind, time, ledger_id, sender, receiver, settled.token, amount, evidence
        FROM settled JOIN counted ON address = depositor JOIN paid ON account = receiver AND paid.token = settled.token
        RETURNING number, ledger_id),
      unsealed AS (INSERT INTO bump_vault.unsealed (number) SELECT number FROM entry RETURNING number)
      SELECT claim_id, unsealed.number IS NOT NULL AS is_entered, pg_current_xact_id()::text AS transaction
      FROM settled LEFT JOIN entry USING (ledger_id) LEFT JOIN unsealed USING (number)
      """)
}
