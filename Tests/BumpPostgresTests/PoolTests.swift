import Lab
import Testing

@testable import BumpPostgres

extension PostgresTests {
  @Suite struct PoolTests {
    @Test func `many tasks share few connections`() async throws {
      try await withPool(3) { pool in
        let processes = try await withThrowingTaskGroup(of: Int64.self) { group in
          for _ in 1...300 { group.addTask { try await pool.run(Statements.own)[0].decode("process") } }
          return try await group.reduce(into: [Int64]()) { $0.append($1) }
        }
        #expect(processes.count == 300)
        #expect(Set(processes).count <= 3)
      }
    }

    @Test func `who comes first has the connection first`() async throws {
      try await withPool(1) { pool in
        let order = Shared<[Int]>([])
        let held = try await pool.lease()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 1...20 {
            group.addTask {
              try await pool.transaction { _ in order.change { $0.append(number) } }
            }
            try await waitUntil("the task that waits") { pool.waitingCount >= number }
          }
          await pool.giveBack(held)
          try await group.waitForAll()
        }
        #expect(order.value == Array(1...20))
      }
    }

    @Test func `who waits too long is told so, and one that is cancelled waits no more`() async throws {
      let configuration = try await PostgresCluster.shared().configuration
      let pool = PostgresPool(configuration, size: 1, waitLimit: .milliseconds(20))
      let held = try await pool.lease()
      let error = try await failure(PostgresError.self) { try await pool.run(Statements.one) }
      #expect(error.code == .busy)
      #expect(error.remedy == "Make the pool larger, or the transactions shorter")

      let patient = PostgresPool(configuration, size: 1, waitLimit: .hang)
      let taken = try await patient.lease()
      let waiting = Task { _ = try await patient.run(Statements.one) }
      try await waitUntil("the task that waits") { patient.waitingCount > 0 }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }

      for (pool, connection) in [(pool, held), (patient, taken)] {
        await pool.giveBack(connection)
        try await pool.run(Statements.one)
        await pool.close()
      }
    }

    @Test func `a server that cannot be reached uses up no connection`() async throws {
      var configuration = try await PostgresCluster.shared().configuration
      configuration.host = "/nowhere"
      let pool = PostgresPool(configuration, size: 1, waitLimit: .hang)
      for _ in 1...3 {
        let error = try await failure(PostgresError.self) { try await pool.run(Statements.one) }
        #expect(error.code == .cannotConnect)
      }
      await pool.close()
    }

    @Test func `closing waits for what is running, and lets nobody else begin`() async throws {
      let pool = try await PostgresCluster.shared().pool(1)
      let connection = try await pool.lease()
      let waiting = Task { _ = try await pool.run(Statements.one) }
      try await waitUntil("the task that waits") { pool.waitingCount > 0 }
      let isClosed = Shared(false)
      let closing = Task {
        await pool.close()
        isClosed.change { $0 = true }
      }
      let refused = try await failure(PostgresError.self) { try await waiting.value }
      #expect(refused.code == .closed)
      #expect(!isClosed.value)
      // What is running goes on.
      let rows = try await connection.run(Statements.one, [])
      #expect(rows.count == 1)
      await pool.giveBack(connection)
      await closing.value
      #expect(await connection.link == nil)
      let late = try await failure(PostgresError.self) { try await pool.run(Statements.one) }
      #expect(late.code == .closed)
    }
  }
}
