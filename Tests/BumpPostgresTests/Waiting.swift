import BumpPostgres
import Lab

extension PostgresPool {
  /// Waits until a statement with this text waits on another connection, for a lock or asleep. Returns its process.
  ///
  /// - Parameter event: what it waits for, in PostgreSQL's words; `nil` for anything. A COMMIT waits for several things.
  @discardableResult
  func findsWaiting(_ text: String, for event: String? = nil) async throws -> Int64 {
    try await poll("a statement that waits: \(text)") { [self] in
      try await run(Statements.waiting, .text(text), event.map(PostgresValue.text) ?? .null).first?
        .decode("process", as: Int64.self)
    }
  }

  /// Waits until no other connection runs such a statement.
  func findsNobodyWaiting(_ text: String) async throws {
    try await waitUntil("the end of a statement: \(text)") { [self] in
      try await run(Statements.waiting, .text(text), .null).isEmpty
    }
  }

  /// The server's process that writes checkpoints: another after each crash.
  func checkpointer() async throws -> Int64? {
    try await run(Self.findCheckpointer).first?.decode("pid", as: Int64.self)
  }

  private static let findCheckpointer = PostgresStatement(
    "checkpointer", sql: "SELECT pid::int8 AS pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'")

  /// Waits until the server has recovered from a crash. Connections that were there before still answer for a moment, and do
  /// not see what was being committed.
  ///
  /// - Parameter former: the checkpointer of before.
  func recovers(from former: Int64?) async throws {
    try await waitUntil("the server's recovery") { [self] in
      do {
        return try await checkpointer().map { $0 != former } ?? false
      } catch is UnknownOutcome {
        // A connection that was just ending.
        return false
      } catch let error as PostgresError where [.cannotConnect, .connectionLost].contains(error.code) {
        return false
      }
    }
  }
}
