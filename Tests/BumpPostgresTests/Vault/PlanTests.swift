import BumpVault
import Lab
import Testing
import VaultContract

@testable import BumpPostgres
@testable import BumpVaultPostgres

extension PostgresTests.Vault {
  /// The plans that the planner makes for the store's statements: its nodes, not their times.
  @Suite struct PlanTests {
    private static let explained: [(statement: PostgresStatement, indexes: Set<String>)] = [
      (VaultTransaction.lockClaims, ["claims_pkey"]), (VaultTransaction.lockClaim, ["claims_pkey"]),
      (VaultTransaction.settle, ["claims_pkey", "senders_pkey"]),
      (VaultTransaction.deposit, ["claims_pkey", "balances_pkey"]), (VaultReading.claims, ["claims_pkey"]),
      (VaultReading.claimID, ["claims_by_ledger_id"]),
      (VaultReading.deposit, ["claims_pkey", "claims_by_ledger_id", "balances_pkey", "senders_pkey"]),
      (VaultReading.mint, ["mints", "tokens_address_key"]), (VaultReading.balances, ["balances_pkey"]),
      (VaultReading.history, ["journal_by_sender", "journal_by_receiver"]),
      (VaultReading.entries, ["batches_pkey", "journal_hash_key", "claims_by_ledger_id"]),
      (PostgresVaultStore.changes, ["batches_pkey", "journal_hash_key", "claims_by_ledger_id"]),
      (Readback.status, ["journal_hash_key", "claims_pkey", "batches_pkey"]),
      (VaultTransaction.takeUnsealed, ["unsealed_pkey", "journal_pkey"]),
    ]

    /// The tables that grow.
    private static let tables = ["claims", "journal", "senders", "balances", "unsealed", "batches"]

    /// No statistics come but by the test.
    private static let still = tables.map { "ALTER TABLE bump_vault.\($0) SET (autovacuum_enabled = off);" }.joined()

    /// Another hand's drafts, which nobody deposits.
    private static func drafts(_ count: Int) -> String {
      """
      INSERT INTO bump_vault.claims (claim_id, ledger_id, secret_hash, token, amount, expiry, status, drafted_at)
      SELECT 'draft' || n, sha256(n::text::bytea), sha256(n::text::bytea), (SELECT address FROM bump_vault.tokens), 1, 60,
        'none', 1 FROM generate_series(1, \(count)) AS n;
      """
    }

    /// Expects that each statement reads a table that grows by conditions of the right indexes alone, with the plan that
    /// stays with a connection.
    private func expectPlans(_ database: VaultDatabase, _ scene: String) async throws {
      let connection = try await PostgresConnection.open(database.configuration.planned)
      for (statement, indexes) in Self.explained {
        let types = statement.parameters.map(\.rawValue).joined(separator: ", ")
        let values = statement.parameters.map { _ in "NULL" }.joined(separator: ", ")
        let plan = try await database.explained(
          connection, "PREPARE \(statement.name)\(types.isEmpty ? "" : "(\(types))") AS \(statement.sql)",
          "\(statement.name)\(values.isEmpty ? "" : "(\(values))")")
        for table in Self.tables {
          #expect(!plan.contains("Seq Scan on \(table)"), "\(scene), \(statement.name):\n\(plan)")
        }
        // A scan without a condition reads the whole index; only the last rows are taken so.
        let scans = plan.split(separator: "\n").enumerated().filter { $0.element.contains(" using ") }
        let lines = plan.split(separator: "\n")
        var used: Set<String> = []
        for (number, line) in scans {
          let index = String(try #require(line.firstMatch(of: #/ using (\w+)/#)).1)
          let hasCondition = number + 1 < lines.count && lines[number + 1].contains("Index Cond")
          #expect(
            hasCondition || ["journal_pkey", "batches_pkey", "unsealed_pkey", "vaults_pkey"].contains(index),
            "\(scene), \(statement.name):\n\(plan)")
          used.insert(index)
        }
        for scan in plan.matches(of: /Bitmap Index Scan on (\w+)/) { used.insert(String(scan.1)) }
        let claims: Set = ["claims_pkey", "claims_by_ledger_id", "drafts"]
        #expect(indexes.isSubset(of: used), "\(scene), \(statement.name) uses \(used):\n\(plan)")
        #expect(used.intersection(claims) == indexes.intersection(claims), "\(scene), \(statement.name):\n\(plan)")
      }
      await connection.close()
    }

    @Test func `without statistics each claim is found by its key, in a new vault and in a grown one`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        try await database.tamper(Self.still)
        try await expectPlans(database, "new")
        try await scene.payOneOfTwo()
        try await scene.store.seal(limit: 10)
        try await database.tamper(Self.drafts(5000))
        try await expectPlans(database, "grown")
      }
    }

    @Test func `a statement is planned once for a connection, however many values it has`() async throws {
      try await VaultDatabase.with { database in
        _ = try await Scene(database.maker())
        let connection = try await PostgresConnection.open(database.configuration.planned)
        for count in 1...12 {
          _ = try await connection.run(VaultReading.claims, [.texts((0..<count).map { "claim\($0)" })])
        }
        let plans = PostgresStatement(
          "plans",
          sql: """
            SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE name = 'vault_read_claims'
            """)
        let row = try #require(try await connection.run(plans, []).first)
        #expect(try row.decode("generic_plans", as: Int64.self) == 12)
        #expect(try row.decode("custom_plans", as: Int64.self) == 0)
        await connection.close()
      }
    }

    @Test func `statistics of a moment when all claims were drafts mislead nobody`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        try await database.tamper(Self.still)
        try await database.tamper("\(Self.drafts(5000)) ANALYZE")
        try await expectPlans(database, "drafts")
        try await scene.payOneOfTwo()
        try await scene.store.seal(limit: 10)
        try await database.tamper("ANALYZE bump_vault.journal")
        try await expectPlans(database, "drafts, and a journal")
      }
    }
  }
}

extension VaultDatabase {
  func explained(_ connection: PostgresConnection, _ prepare: String, _ execute: String) async throws
    -> String
  {
    try await connection.run(script: prepare, named: "prepare", effect: .nothing)
    // Rows of a script are dropped: a function returns them.
    try await connection.run(
      script: """
        CREATE OR REPLACE FUNCTION pg_temp.plan() RETURNS text LANGUAGE plpgsql AS $$
          DECLARE line text; lines text := '';
          BEGIN
            FOR line IN EXECUTE 'EXPLAIN (COSTS off) EXECUTE \(execute)' LOOP lines := lines || line || E'\\n'; END LOOP;
            RETURN lines;
          END $$
        """, named: "explain", effect: .nothing)
    let row = try await connection.run(PostgresStatement("plan", sql: "SELECT pg_temp.plan() AS plan"), []).first
    return try row?.decode("plan", as: String.self) ?? ""
  }
}
