import Lab
import Testing

@testable import BumpPostgres

extension PostgresTests {
  @Suite struct StatementTests {
    private static let prepared = PostgresStatement(
      "prepared", .text, sql: "SELECT count(*) AS count FROM pg_prepared_statements WHERE name = $1")

    @Test func `a connection prepares a statement once and keeps it`() async throws {
      try await withPool(1) { pool in
        for _ in 1...3 {
          let row = try await pool.run(Self.prepared, .text("prepared"))[0]
          #expect(try row.decode("count") == 1 as Int64)
        }
      }
    }

    @Test func `two statements of one name are refused`() async throws {
      try await withPool(1) { pool in
        try await pool.run(Statements.one)
        let error = try await failure(PostgresError.self) {
          try await pool.run(PostgresStatement("one", sql: "SELECT 2::int8 AS one"))
        }
        #expect(error.description == "two statements have the name one. Rename one of them")
      }
    }

    @Test func `values that a statement does not take are refused before they are sent`() async throws {
      try await withPool(1) { pool in
        let few = try await failure(PostgresError.self) { try await pool.run(Self.prepared) }
        #expect(few.reason == "the statement prepared takes 1 values, not 0")
        let other = try await failure(PostgresError.self) { try await pool.run(Self.prepared, .int8(4711)) }
        #expect(other.reason == "parameter 1 of the statement prepared is of type text, not int8")
      }
    }

    @Test func `after an error the connection goes on`() async throws {
      try await withPool(1) { pool in
        let process = try await pool.run(Statements.own)[0].decode("process", as: Int64.self)
        let error = try await failure(PostgresError.self) {
          try await pool.run(PostgresStatement("nonsense", sql: "SELEKT 1"))
        }
        #expect(error.code == .refused)
        #expect(error.reason.contains("syntax error") && error.reason.contains("(42601)"))
        #expect(try await pool.run(Statements.own)[0].decode("process") == process)
      }
    }

    @Test func `a plan that the tables have outgrown is prepared again`() async throws {
      try await withPool(1) { pool in
        let all = PostgresStatement("all", sql: "SELECT * FROM outgrown")
        try await pool.transaction { try await $0.run(script: "CREATE TABLE outgrown (a int8)") }
        try await pool.run(all)
        try await pool.transaction { try await $0.run(script: "ALTER TABLE outgrown ADD COLUMN b int8") }
        let error = try await failure(PostgresError.self) { try await pool.run(all) }
        #expect(error.sqlState == SQLState("0A000"))
        #expect(try await pool.run(all).isEmpty)
      }
    }

    @Test func `one connection runs one statement at a time`() async throws {
      let cluster = try await PostgresCluster.shared()
      try await withPool(1) { pool in
        let connection = try await PostgresConnection.open(cluster.configuration)
        let first = Task { try await connection.run(Statements.sleep, [.text("first")]) }
        try await pool.findsWaiting("$1::text")
        let error = try await failure(PostgresError.self) { _ = try await connection.run(Statements.one, []) }
        #expect(error.reason == "a connection runs one statement at a time")
        first.cancel()
        _ = await first.result
      }
    }

    @Test func `COPY is refused, and its connection not used again`() async throws {
      try await withPool(1) { pool in
        let process = try await pool.run(Statements.own)[0].decode("process", as: Int64.self)
        let error = try await failure(PostgresError.self) {
          try await pool.transaction { try await $0.run(script: "COPY (SELECT 1) TO STDOUT") }
        }
        #expect(error.code == .misuse)
        #expect(try await pool.run(Statements.own)[0].decode("process") != process)
      }
    }
  }
}
