import BumpClaims
import BumpPostgres
import BumpVault
import BumpWallet
import Synchronization

/// Reads within a transaction that sees one moment, and no commits after it.
struct VaultReading {
  let transaction: PostgresTransaction

  func snapshot() async throws -> StoreSnapshot {
    let unsealed = try await transaction.run(Self.unsealed).map(AuditedEntry.init(auditing:))
    let balances = try await transaction.run(Self.allBalances)
    let minted = try await transaction.run(Self.tokens)
    let claims = try await transaction.run(Self.allClaims).compactMap(ClaimRecord.init)
    let pending = try await transaction.run(Self.pending)
    return StoreSnapshot(
      batches: try await transaction.run(Self.lastBatch).first?.value("number") ?? 0, unsealed: unsealed,
      balances: try balances.reduce(into: [:]) {
        $0[BalanceKey(try $1.address("account"), try $1.address("token"))] = try $1.value("balance")
      },
      minted: try minted.reduce(into: [:]) { $0[try $1.address("address")] = try $1.value("minted") }, claims: claims,
      pending: try pending.reduce(into: [:]) { $0[try $1.address("address")] = try $1.value("pending") },
      vaults: try await vaults())
  }

  func batch(_ number: Int64) async throws -> SealedBatch? {
    guard let row = try await transaction.run(Self.batch, .int8(number)).first else { return nil }
    let entries = try await transaction.run(Self.entries, .int8(number)).map(AuditedEntry.init(auditing:))
    return SealedBatch(batch: try row.batch(number), hash: try row.bytes32("hash"), entries: entries)
  }

  private func contracts() async throws -> [TokenContract] {
    try await transaction.run(Self.tokens).map { row in
      TokenContract(
        token: try Token(row.value("symbol", as: String.self)), address: try row.address("address"),
        domainName: try row.value("domain_name"), domainVersion: try row.value("domain_version"))
    }
  }

  private func vaults() async throws -> [VaultDescription] {
    let tokens = try await contracts()
    return try await transaction.run(Self.vaults).map { row in
      try VaultDescription(chainID: row.chainID(), address: row.address("address"), tokens: tokens)
    }
  }

  func identity() async throws -> VaultIdentity {
    guard let row = try await transaction.run(Self.vaults).last else { throw DamagedRow() }
    let identity = try VaultIdentity(
      chainID: row.chainID(), key: PrivateKey(try row.value("key", as: [UInt8].self)), tokens: await contracts())
    guard try row.address("address") == identity.address else { throw DamagedRow() }
    return identity
  }

  /// Returns the number of the database's present vault.
  func vault() async throws -> Int64 {
    guard let row = try await transaction.run(Self.vaults).last else { throw DamagedRow() }
    return try row.value("number")
  }
}

/// The vault as of the moment at which a transaction began.
final class Snapshot: AuditSource {
  private let reading: VaultReading
  /// It stays the same, and is large.
  private let snapshot = Mutex<StoreSnapshot?>(nil)

  init(reading: VaultReading) { self.reading = reading }

  func batch(_ number: Int64) async throws -> SealedBatch? { try await reading.batch(number) }

  func snapshot() async throws -> StoreSnapshot {
    if let snapshot = snapshot.withLock(\.self) { return snapshot }
    let read = try await reading.snapshot()
    snapshot.withLock { $0 = read }
    return read
  }
}

extension VaultReading {
  /// Returns the rows of several claims, in their order. If one of them is damaged, only that one fails.
  static func rows(
    of claims: [ClaimID], _ pool: PostgresPool, _ presence: DatabaseGuard
  ) async -> [Result<ClaimRows, any Error>] {
    do {
      let rows = try await pool.run(Self.claims, .texts(claims.map(\.description)))
      guard let first = rows.first else { throw DamagedRow() }
      let absent = ClaimRows(time: try presence.time(first), claim: nil)
      var found: [String: Result<ClaimRows, any Error>] = [:]
      for row in rows {
        guard let id = try row.optional("claim_id", as: String.self) else { continue }
        found[id] = Result { try ClaimRows(row, presence) }
      }
      return claims.map { found[$0.description] ?? .success(absent) }
    } catch {
      return claims.map { _ in .failure(error) }
    }
  }
}

extension ClaimRows {
  init(_ row: PostgresRow, _ presence: DatabaseGuard) throws {
    let claim = try ClaimRecord(row)
    self.init(time: try presence.time(row, notBefore: claim?.deposit?.time ?? 0), claim: claim)
  }
}

extension SenderUsage {
  /// Reads the columns of an outer join.
  init(_ row: PostgresRow) throws {
    self.init(
      pending: try row.optional("pending") ?? 0, day: try row.optional("day") ?? 0,
      deposits: try row.optional("deposits") ?? 0)
  }
}

extension PostgresRow {
  fileprivate func chainID() throws -> UInt64 {
    guard let chainID = UInt64(exactly: try value("chain_id", as: Int64.self)) else { throw DamagedRow() }
    return chainID
  }

  func batch(_ number: Int64) throws -> Batch {
    let bytes: [UInt8] = try value("entries")
    let entries = try stride(from: 0, to: bytes.count, by: 32).map { start in
      guard let hash = Bytes32(Array(bytes[start..<min(start + 32, bytes.count)])) else { throw DamagedRow() }
      return hash
    }
    return Batch(number: number, previous: try bytes32("previous"), time: try value("time"), entries: entries)
  }
}

/// The statements. Each reads the database as of one moment.
extension VaultReading {
  static let claims = PostgresStatement(
    "vault_read_claims", .texts,
    sql: """
      SELECT floor(extract(epoch FROM clock_timestamp()))::int8 AS now, present.*, claims.*
      FROM bump_vault.present LEFT JOIN bump_vault.claims ON claim_id = ANY ($1)
      """)

  static let claimID = PostgresStatement(
    "vault_read_claim_id", .bytea,
    sql: "SELECT claim_id FROM bump_vault.claims WHERE ledger_id = $1 AND status <> 'none'")

  static let deposit = PostgresStatement(
    "vault_read_deposit", .text, .bytea,
    sql: """
      SELECT floor(extract(epoch FROM clock_timestamp()))::int8 AS now, present.*, claims.*, balance, pending, day,
        deposits, EXISTS (
          SELECT FROM bump_vault.claims AS other
          WHERE other.ledger_id = claims.ledger_id AND other.status <> 'none' AND other.claim_id <> claims.claim_id
        ) AS in_use
      FROM bump_vault.present LEFT JOIN bump_vault.claims ON claim_id = $1
        LEFT JOIN bump_vault.balances ON account = $2 AND balances.token = claims.token
        LEFT JOIN bump_vault.senders ON address = $2
      """)

  static let mint = PostgresStatement(
    "vault_read_mint", .bytea, .bytea,
    sql: """
      SELECT (SELECT minted FROM bump_vault.tokens WHERE address = $2) AS minted, journal.*
      FROM (VALUES (1)) AS one LEFT JOIN bump_vault.journal ON ledger_id = $1 AND kind = 1
      """)

  static let balances = PostgresStatement(
    "vault_read_balances", .bytea,
    sql: "SELECT token, balance FROM bump_vault.balances WHERE account = $1 AND balance > 0")

  /// In two parts, so that each uses its own index. Rows are compared and ordered by both columns of the index: by the
  /// number alone they could be read from the journal's end, whoever's they are.
  static let history = PostgresStatement(
    "vault_read_history", .bytea, .int8, .int8,
    sql: """
      (SELECT * FROM bump_vault.journal WHERE (sender, number) < ($1, $2) AND sender >= $1
        ORDER BY sender DESC, number DESC LIMIT $3)
      UNION
      (SELECT * FROM bump_vault.journal WHERE (receiver, number) < ($1, $2) AND receiver >= $1
        ORDER BY receiver DESC, number DESC LIMIT $3)
      ORDER BY number DESC LIMIT $3
      """)

  static let removeDrafts = PostgresStatement(
    "vault_remove_drafts", .int8, sql: "DELETE FROM bump_vault.claims WHERE status = 'none' AND drafted_at <= $1")

  // The statements of the audit

  static let lastBatch = PostgresStatement(
    "vault_read_last_batch", sql: "SELECT number FROM bump_vault.batches ORDER BY number DESC LIMIT 1")

  static let batch = PostgresStatement(
    "vault_read_batch", .int8, sql: "SELECT previous, time, entries, hash FROM bump_vault.batches WHERE number = $1")

  static let entries = PostgresStatement(
    "vault_read_entries", .int8,
    sql: """
      SELECT journal.*, claims.secret_hash AS claim_secret_hash, claims.token AS claim_token,
        claims.amount AS claim_amount, claims.expiry AS claim_expiry
      FROM bump_vault.batches CROSS JOIN generate_series(1, length(entries) / 32) AS place
        CROSS JOIN LATERAL (
          SELECT * FROM bump_vault.journal WHERE hash = substr(entries, place * 32 - 31, 32) LIMIT 1) AS journal
        LEFT JOIN LATERAL (
          SELECT secret_hash, token, amount, expiry FROM bump_vault.claims
          WHERE ledger_id = journal.ledger_id AND status <> 'none' LIMIT 1) AS claims ON kind <> 1
      WHERE batches.number = $1 ORDER BY place
      """)

  private static let unsealed = PostgresStatement(
    "vault_read_unsealed",
    sql: """
      SELECT journal.*, claims.secret_hash AS claim_secret_hash, claims.token AS claim_token,
        claims.amount AS claim_amount, claims.expiry AS claim_expiry
      FROM bump_vault.unsealed JOIN bump_vault.journal USING (number)
        LEFT JOIN bump_vault.claims ON claims.ledger_id = journal.ledger_id AND status <> 'none' AND kind <> 1
      ORDER BY number
      """)

  private static let allBalances = PostgresStatement(
    "vault_read_all_balances", sql: "SELECT account, token, balance FROM bump_vault.balances WHERE balance <> 0")

  private static let allClaims = PostgresStatement(
    "vault_read_all_claims", sql: "SELECT * FROM bump_vault.claims WHERE status <> 'none'")

  private static let pending = PostgresStatement(
    "vault_read_pending", sql: "SELECT address, pending FROM bump_vault.senders")

  private static let tokens = PostgresStatement(
    "vault_read_tokens", sql: "SELECT * FROM bump_vault.tokens ORDER BY number")

  private static let vaults = PostgresStatement(
    "vault_read_vaults", sql: "SELECT * FROM bump_vault.vaults ORDER BY number")
}
