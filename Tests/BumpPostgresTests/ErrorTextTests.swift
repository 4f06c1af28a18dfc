import BumpPostgres
import Testing

extension PostgresTests {
  /// A secret that comes into a statement as a value comes into no error.
  @Suite struct ErrorTextTests {
    private static let secret = "hunter2-hunter2"

    private static let statements = [
      // Each repeats its value in the server's message, its detail or its context.
      PostgresStatement("cast", .text, sql: "SELECT $1::int8"),
      PostgresStatement("date", .text, sql: "SELECT $1::date"),
      PostgresStatement("duplicate", .text, sql: "INSERT INTO secrets VALUES ($1, 1), ($1, 1)"),
      PostgresStatement("check", .text, sql: "INSERT INTO secrets VALUES ($1, -1)"),
      PostgresStatement("missing", .text, sql: "INSERT INTO secrets VALUES ($1, NULL)"),
      PostgresStatement("long", .text, sql: "INSERT INTO shorts VALUES ($1)"),
      PostgresStatement("raised", .text, sql: "SELECT raise_it($1)"),
      PostgresStatement("json", .text, sql: "SELECT $1::json"),
    ]

    @Test func `the text of an error holds no value`() async throws {
      try await withPool(1) { pool in
        try await pool.transaction {
          try await $0.run(
            script: """
              CREATE TABLE secrets (secret text UNIQUE, number int8 NOT NULL CHECK (number > 0));
              CREATE TABLE shorts (short varchar(3));
              CREATE FUNCTION raise_it(text) RETURNS void LANGUAGE plpgsql AS $$
                BEGIN RAISE EXCEPTION 'no %', $1 USING DETAIL = $1, HINT = $1; END $$;
              """)
        }
        for statement in Self.statements {
          let error = try await failure(PostgresError.self) { try await pool.run(statement, .text(Self.secret)) }
          var dumped = ""
          dump(error, to: &dumped)
          #expect(error.code == .refused)
          #expect(error.reason.contains(statement.name))
          #expect(!"\(error) \(dumped)".contains("hunter2"), "\(statement.name)")
        }
      }
    }

    @Test func `a constraint is named`() async throws {
      try await withPool(1) { pool in
        try await pool.transaction {
          try await $0.run(script: "CREATE TABLE named (a int8 CONSTRAINT positive CHECK (a > 0))")
        }
        let insert = PostgresStatement("insert named", .int8, sql: "INSERT INTO named VALUES ($1)")
        let error = try await failure(PostgresError.self) { try await pool.run(insert, .int8(-1)) }
        #expect(error.sqlState == .checkViolation && error.constraint == "positive")
        #expect(
          error.description == "PostgreSQL refused the statement insert named: a check constraint is violated "
            + "(23514, constraint positive, table named)")
      }
    }

    @Test func `a value prints as its type`() {
      let value = PostgresValue.text(Self.secret)
      var dumped = ""
      dump([value], to: &dumped)
      #expect("\(value)" == "text" && String(reflecting: [value]) == "[text]")
      #expect(!dumped.contains("hunter2"))
    }
  }
}
