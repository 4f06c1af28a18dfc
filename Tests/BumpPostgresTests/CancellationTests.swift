import Lab
import Testing

@testable import BumpPostgres

extension PostgresTests {
  @Suite struct CancellationTests {
    @Test func `a cancelled transaction's statement ends on the server too, and its connection is not used again`()
      async throws
    {
      try await withPool(2) { pool in
        let task = Task {
          try await pool.transaction { _ = try await $0.run(Statements.sleep, .text("cancelled")) }
        }
        let process = try await pool.findsWaiting("pg_sleep(600)")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let isThere = PostgresStatement(
          "is there", .int8, sql: "SELECT count(*) AS n FROM pg_stat_activity WHERE pid = $1")
        try await waitUntil("the end of the process") {
          try await pool.run(isThere, .int8(process))[0].decode("n", as: Int64.self) == 0
        }
      }
    }

    @Test func `whether a cancelled statement committed by itself is unknown`() async throws {
      try await withPool(2) { pool in
        let statement = PostgresStatement("nap", sql: "SELECT pg_sleep(601)")
        let task = Task { _ = try await pool.run(statement) }
        try await pool.findsWaiting("pg_sleep(601)")
        task.cancel()
        let error = try await failure(UnknownOutcome.self) { try await task.value }
        #expect(error.cause is CancellationError)
        try await pool.findsNobodyWaiting("pg_sleep(601)")
      }
    }

    @Test func `a task that is cancelled already sends nothing`() async throws {
      try await withPool(1) { pool in
        let process = try await pool.run(Statements.own)[0].decode("process", as: Int64.self)
        let task = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          _ = try await pool.run(Statements.sleep, .text("never"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await pool.run(Statements.own)[0].decode("process") == process)
      }
    }

    @Test func `a statement ends with its time, on the server too`() async throws {
      try await withPool(2) { pool in
        let statement = PostgresStatement("slow", sql: "SELECT pg_sleep(602)")
        let error = try await failure(PostgresError.self) {
          try await pool.transaction { _ = try await $0.run(statement, within: .milliseconds(50)) }
        }
        #expect(error.code == .timedOut)
        #expect(
          error.description == "the statement slow had no answer in time. "
            + "Look for locks that others hold, or raise its time limit")
        try await pool.findsNobodyWaiting("pg_sleep(602)")
      }
    }

    @Test func `a commit that has been sent is waited for, even by a cancelled task`() async throws {
      try await withPool(3) { pool in
        try await pool.transaction {
          try await $0.run(
            script: """
              CREATE TABLE late (a int8);
              CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END $$;
              CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION wait();
              """)
        }
        let committing = try await pool.transaction { transaction in
          try await transaction.run(Statements.lock, .int8(42))
          let committing = Task {
            try await pool.transaction { try await $0.run(script: "INSERT INTO late VALUES (1)") }
          }
          try await pool.findsWaiting("COMMIT", for: "advisory")
          committing.cancel()
          return committing
        }
        try await committing.value
        #expect(try await pool.run(PostgresStatement("late", sql: "SELECT a FROM late")).count == 1)
      }
    }
  }
}
