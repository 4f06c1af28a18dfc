import Lab
import Testing

@testable import BumpPostgres

extension PostgresTests {
  @Suite struct TransactionTests {
    private struct Whim: Error {}

    private static let count = PostgresStatement(
      "count", .text, sql: "SELECT count(*) AS n FROM notes WHERE about = $1")
    private static let note = PostgresStatement("note", .text, sql: "INSERT INTO notes VALUES ($1)")
    private static let read = PostgresStatement("read", .text, sql: "SELECT n FROM counters WHERE name = $1")
    private static let write = PostgresStatement(
      "write", .text, .int8, sql: "UPDATE counters SET n = $2 WHERE name = $1")

    /// A pool on a server with tables, which the tests of this suite share.
    private func withTables(_ body: @Sendable (PostgresPool) async throws -> Void) async throws {
      try await withPool { pool in
        try await pool.transaction { transaction in
          // One at a time: two that make the same table are in each other's way.
          try await transaction.run(Statements.lock, .int8(1))
          try await transaction.run(
            script: """
              CREATE TABLE IF NOT EXISTS notes (about text);
              CREATE TABLE IF NOT EXISTS counters (name text PRIMARY KEY, n int8);
              INSERT INTO counters VALUES ('left', 0), ('right', 0), ('both', 0) ON CONFLICT DO NOTHING;
              """)
        }
        try await body(pool)
      }
    }

    @Test func `what a closure did is there once it returns, and is not where it throws`() async throws {
      try await withTables { pool in
        try await pool.transaction { try await $0.run(Self.note, .text("kept")) }
        _ = try await failure(Whim.self) {
          try await pool.transaction {
            try await $0.run(Self.note, .text("dropped"))
            throw Whim()
          }
        }
        #expect(try await pool.run(Self.count, .text("kept"))[0].decode("n") == 1 as Int64)
        #expect(try await pool.run(Self.count, .text("dropped"))[0].decode("n") == 0 as Int64)
      }
    }

    @Test func `an error that the closure ignores is thrown all the same, since nothing was committed`() async throws {
      try await withTables { pool in
        let error = try await failure(PostgresError.self) {
          try await pool.transaction { transaction in
            try await transaction.run(Self.note, .text("ignored"))
            _ = try? await transaction.run(PostgresStatement("zero", .int8, sql: "SELECT 1 / $1"), .int8(0))
          }
        }
        #expect(error.sqlState == SQLState("22012"))
        #expect(try await pool.run(Self.count, .text("ignored"))[0].decode("n") == 0 as Int64)
      }
    }

    @Test func `a transaction that is over runs nothing`() async throws {
      try await withTables { pool in
        let kept = try await pool.transaction { $0 }
        let error = try await failure(PostgresError.self) { try await kept.run(Statements.one) }
        #expect(error.reason == "the transaction is over")
      }
    }

    @Test func `the isolation level is what was asked for`() async throws {
      let level = PostgresStatement("level", sql: "SELECT current_setting('transaction_isolation') AS level")
      try await withPool { pool in
        for isolation in [PostgresIsolation.readCommitted, .repeatableRead, .serializable] {
          let name = try await pool.transaction(isolation) {
            try await $0.run(level)[0].decode("level", as: String.self)
          }
          #expect(name == isolation.rawValue.lowercased())
        }
      }
    }

    @Test func `a transaction that another one overtook is run again`() async throws {
      try await withTables { pool in
        let tries = Shared(0)
        try await pool.transaction(.serializable) { transaction in
          let n = try await transaction.run(Self.read, .text("both"))[0].decode("n", as: Int64.self)
          let number = tries.change { tries in
            tries += 1
            return tries
          }
          if number == 1 {
            try await pool.transaction { try await $0.run(Self.write, .text("both"), .int8(n + 10)) }
          }
          try await transaction.run(Self.write, .text("both"), .int8(n + 1))
        }
        #expect(tries.value == 2)
        #expect(try await pool.run(Self.read, .text("both"))[0].decode("n") == 11 as Int64)
      }
    }

    @Test func `of two transactions that wait for each other, one is run again and both commit`() async throws {
      try await withTables { pool in
        let tries = Shared(0)
        let both = TaskBarrier(2)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for (first, second) in [("left", "right"), ("right", "left")] {
            group.addTask {
              try await pool.transaction { transaction in
                tries.change { $0 += 1 }
                try await transaction.run(script: "SET LOCAL deadlock_timeout = '10ms'")
                try await transaction.run(Self.write, .text(first), .int8(1))
                await both.come()
                try await transaction.run(Self.write, .text(second), .int8(1))
              }
            }
          }
          try await group.waitForAll()
        }
        #expect(tries.value >= 3)
      }
    }

    @Test func `it is tried ten times, with waits at random that grow up to a second`() async throws {
      let clock = RecordingClock()
      let pool = PostgresPool(
        try await PostgresCluster.shared().configuration, size: 1, waitLimit: .hang, clock: clock, chance: { 1 << 63 })
      let tries = Shared(0)
      let error = try await failure(PostgresError.self) {
        try await pool.transaction { transaction in
          tries.change { $0 += 1 }
          try await transaction.run(script: "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$")
        }
      }
      #expect(error.isTransient && error.remedy == "Run the transaction again.")
      #expect(tries.value == 10)
      // With a chance of one half.
      #expect(clock.waits == [5, 10, 20, 40, 80, 160, 320, 500, 500].map { .milliseconds($0) })
      await pool.close()
    }
  }
}

/// So many tasks go on together. Who comes later need not wait.
private actor TaskBarrier {
  private var missing: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    missing = count
  }

  func come() async {
    missing -= 1
    if missing > 0 {
      await withCheckedContinuation { waiting.append($0) }
    } else {
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }
}

/// A clock on which every wait is over at once, and which remembers how long each was to be.
final class RecordingClock: Clock {
  typealias Duration = Swift.Duration
  typealias Instant = ContinuousClock.Instant

  private let recorded = Shared<[Duration]>([])
  private let start = ContinuousClock.now

  var waits: [Duration] { recorded.value }
  var now: Instant { start }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    recorded.change { $0.append(start.duration(to: deadline)) }
  }
}
