import Lab
import Testing

@testable import BumpPostgres

extension PostgresTests {
  /// The server or one of its processes dies.
  @Suite struct DeathTests {
    private static let rows = PostgresStatement("rows", sql: "SELECT a FROM money")
    private static let insert = PostgresStatement("insert", .int8, sql: "INSERT INTO money VALUES ($1)")

    @Test func `a connection that ended while nobody used it is replaced, and nobody hears of it`() async throws {
      try await PostgresCluster.with { cluster in
        let pool = cluster.pool(4)
        for shutdown in PostgresCluster.Shutdown.allCases {
          let connections = try await [pool.lease(), pool.lease(), pool.lease(), pool.lease()]
          for connection in connections { await pool.giveBack(connection) }
          try await cluster.stop(shutdown)
          try await cluster.startAgain()
          try await pool.run(Statements.one)
        }
        await pool.close()
      }
    }

    @Test func `where a process of the server is killed in a query, nothing was committed`() async throws {
      try await PostgresCluster.with { cluster in
        let pool = cluster.pool()
        try await pool.transaction { try await $0.run(script: "CREATE TABLE money (a int8)") }
        let task = Task {
          try await pool.transaction { transaction in
            try await transaction.run(Self.insert, .int8(1))
            _ = try await transaction.run(Statements.sleep, .text("killed"))
          }
        }
        let former = try await pool.checkpointer()
        try await cluster.kill(try await pool.findsWaiting("$1::text"))
        let error = try await failure(PostgresError.self) { try await task.value }
        #expect(error.code == .connectionLost)
        try await pool.recovers(from: former)
        #expect(try await pool.run(Self.rows).isEmpty)
        await pool.close()
      }
    }

    @Test func `where a statement that commits by itself has no answer, its outcome is unknown`() async throws {
      try await PostgresCluster.with { cluster in
        let pool = cluster.pool()
        let task = Task { _ = try await pool.run(Statements.sleep, .text("killed")) }
        try await cluster.kill(try await pool.findsWaiting("$1::text"))
        let error = try await failure(UnknownOutcome.self) { try await task.value }
        #expect((error.cause as? PostgresError)?.code == .connectionLost)
        await pool.close()
      }
    }

    /// In the first run the trigger delays COMMIT before it writes. In the second COMMIT has written and waits for a standby
    /// that does not exist. The client cannot tell one from the other.
    @Test func `where a process of the server is killed in COMMIT, its outcome is unknown: it may be either`()
      async throws
    {
      let settings = ["fsync": "off", "synchronous_commit": "local", "synchronous_standby_names": "nobody"]
      try await PostgresCluster.with(settings: settings) { cluster in
        let pool = cluster.pool()
        try await pool.transaction {
          try await $0.run(
            script: """
              CREATE TABLE money (a int8);
              CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN IF NEW.a = 1 THEN PERFORM pg_sleep(600); END IF; RETURN NULL; END $$;
              CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON money DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION wait();
              """)
        }
        for (number, rowsAfter, event) in [(1, [], "PgSleep"), (2, [2], "SyncRep")] as [(Int64, [Int64], String)] {
          let task = Task {
            try await pool.transaction { transaction in
              try await transaction.run(script: "SET LOCAL synchronous_commit = on")
              try await transaction.run(Self.insert, .int8(number))
            }
          }
          let former = try await pool.checkpointer()
          try await cluster.kill(try await pool.findsWaiting("COMMIT", for: event))
          let error = try await failure(UnknownOutcome.self) { try await task.value }
          #expect((error.cause as? PostgresError)?.code == .connectionLost)
          #expect(error.description.hasSuffix("Read the data back before you go on."))
          try await pool.recovers(from: former)
          let rows = try await pool.run(Self.rows).map { try $0.decode("a", as: Int64.self) }
          #expect(rows == rowsAfter)
        }
        await pool.close()
      }
    }

    @Test func `a server that is shut down says so, and that is in the error`() async throws {
      try await PostgresCluster.with { cluster in
        let pool = cluster.pool()
        let task = Task {
          try await pool.transaction { _ = try await $0.run(Statements.sleep, .text("shut down")) }
        }
        try await pool.findsWaiting("$1::text")
        try await cluster.stop()
        let error = try await failure(PostgresError.self) { try await task.value }
        #expect(error.code == .connectionLost && error.sqlState == .adminShutdown)
        #expect(error.remedy == "Try again once the server runs")
        let gone = try await failure(PostgresError.self) { try await pool.run(Statements.one) }
        #expect(gone.code == .cannotConnect)
        await pool.close()
      }
    }
  }
}
