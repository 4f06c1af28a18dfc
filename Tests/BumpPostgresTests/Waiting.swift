import BumpPostgres
import Lab

extension PostgresPool {
  /// Waits until a statement with this text waits on another connection, for a lock or asleep. Returns its process.
  ///
  /// - Parameter event: what it waits for, in PostgreSQL's words; `nil` for anything. A COMMIT waits for several things.
  @discardableResult
  func findsWaiting(_ text: String, for event: String? = nil) async throws -> Int64 {
    try await withTimeout(.hang, "a statement that waits: \(text)") { [self] in
      while true {
        if let row = try await run(Statements.waiting, .text(text), event.map(PostgresValue.text) ?? .null).first {
          return try row.decode("process")
        }
      }
    }
  }

  /// Waits until no other connection runs such a statement.
  func findsNobodyWaiting(_ text: String) async throws {
    try await withTimeout(.hang, "the end of a statement: \(text)") { [self] in
      while try await !run(Statements.waiting, .text(text), .null).isEmpty {}
    }
  }

  /// Waits until the server has recovered from a crash.
  func recovers() async throws {
    while true {
      do {
        try await run(Statements.one)
        return
      } catch is UnknownOutcome {
        // A connection that was just ending.
      } catch let error as PostgresError where [.cannotConnect, .connectionLost].contains(error.code) {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }
}
