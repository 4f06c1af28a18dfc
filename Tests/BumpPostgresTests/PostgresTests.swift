import BumpPostgres
import Lab
import Testing

/// The client on real servers.
@Suite(.live) struct PostgresTests {}

extension PostgresCluster {
  var configuration: PostgresConfiguration {
    var configuration = PostgresConfiguration(
      host: socketDirectory, database: "postgres", user: Self.user, password: PostgresPassword(Self.password),
      applicationName: "tests")
    // Guards against tests that hang, on a busy machine; no test waits for them to pass.
    configuration.connectLimit = .hang
    configuration.statementLimit = .hang
    return configuration
  }

  func pool(_ size: Int = 4) -> PostgresPool { PostgresPool(configuration, size: size, waitLimit: .hang) }
}

/// Gives a test a pool on the server that all share, and closes it.
func withPool(_ size: Int = 4, _ body: @Sendable (PostgresPool) async throws -> Void) async throws {
  let pool = try await PostgresCluster.shared().pool(size)
  try await body(pool)
  await pool.close()
}

/// The error of a kind that a body must throw.
func failure<Failure: Error>(
  _ type: Failure.Type, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async throws -> Failure {
  let error = await #expect(throws: type, sourceLocation: sourceLocation) { try await body() }
  return try #require(error, sourceLocation: sourceLocation)
}
