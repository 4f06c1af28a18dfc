import BumpVault
import Lab
import Testing
import VaultContract

@testable import BumpPostgres
@testable import BumpVaultPostgres

extension PostgresTests {
  /// The vault's store. One test after the other: each has a database of its own, and several connections to it.
  @Suite(.serialized) struct Vault {}
}

/// A database for one test.
final class VaultDatabase: Sendable {
  let cluster: PostgresCluster
  let name: String
  /// Another hand's connections to it.
  let pool: PostgresPool
  private let stores = Shared<[PostgresVaultStore]>([])

  private init(_ cluster: PostgresCluster, _ name: String) {
    (self.cluster, self.name) = (cluster, name)
    var configuration = cluster.configuration
    configuration.database = name
    pool = PostgresPool(configuration, size: 2, waitLimit: .hang)
  }

  /// Makes a database, empty or a copy of another, gives it to a test, closes the stores that it opened, and removes the database.
  static func with(
    _ cluster: PostgresCluster? = nil, copying original: VaultDatabase? = nil,
    _ body: @Sendable (VaultDatabase) async throws -> Void
  ) async throws {
    let shared = if let cluster { cluster } else { try await PostgresCluster.shared() }
    let database = VaultDatabase(shared, "vault_\(UInt64.random(in: .min ... .max))")
    if let original {
      try await database.cluster.run(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '\(original.name)'")
      try await database.cluster.run("CREATE DATABASE \(database.name) TEMPLATE \(original.name)")
    } else {
      try await database.cluster.run("CREATE DATABASE \(database.name)")
    }
    do {
      try await body(database)
      try await database.end()
    } catch {
      try? await database.end()
      throw error
    }
  }

  private func end() async throws {
    for store in stores.value { await store.close() }
    await pool.close()
    try await cluster.run("DROP DATABASE \(name) WITH (FORCE)")
  }

  var configuration: PostgresConfiguration {
    var configuration = cluster.configuration
    configuration.database = name
    configuration.applicationName = "vault"
    return configuration
  }

  /// The store of a vault that is the same in every run.
  ///
  /// - Parameters:
  ///   - mayLoseCommits: the server syncs nothing, unless a test starts its own.
  ///   - machine: a clock, and the time since boot of the machine on which the store runs.
  ///   - clock: `nil` for the server's; or a clock that nobody sets.
  func open(
    _ provenance: VaultProvenance = .original, mayLoseCommits: Bool = true,
    machine: (@Sendable () -> MachineTime)? = nil, clock: (@Sendable () -> Int64)? = nil, size: Int = 4,
    delays: any Clock<Duration> = ContinuousClock(), identity: VaultIdentity? = nil,
    _ change: (inout PostgresConfiguration) -> Void = { _ in }
  ) async throws -> PostgresVaultStore {
    var configuration = configuration
    change(&configuration)
    let store = try await PostgresVaultStore.open(
      configuration, size: size, waitLimit: .hang, provenance: provenance, mayLoseCommits: mayLoseCommits,
      clock: { machine?() ?? clock.map { MachineTime(clock: $0()) } ?? .reading($0) }, delays: delays,
      draw: { if let identity { identity } else { try Scene.identity() } })
    stores.change { $0.append(store) }
    return store
  }

  /// Makes a store for a scene, with the scene's clock.
  func maker(
    size: Int = 4, delays: any Clock<Duration> = ContinuousClock(),
    _ change: @escaping @Sendable (inout PostgresConfiguration) -> Void = { _ in }
  ) -> StoreMaker {
    StoreMaker { identity, clock in
      try await self.open(machine: clock, size: size, delays: delays, identity: identity, change)
    }
  }

  /// Another hand on the same database: SQL that a store would never say.
  func tamper(_ sql: String) async throws { try await cluster.run(sql, in: name) }

  private static let waiting = PostgresStatement(
    "vault_waiting", .text, .text, .text,
    sql: """
      SELECT pid::int8 AS process FROM pg_stat_activity WHERE datname = current_database() AND application_name = $3
        AND state = 'active' AND wait_event_type = coalesce($2, wait_event_type)
        AND wait_event_type IN ('Lock', 'Timeout', 'IPC') AND position($1 IN query) > 0
      """)
  private static let seen = PostgresStatement(
    "vault_seen", .text,
    sql: """
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'vault' AND position($1 IN query) > 0
      """)
  private static let terminate = PostgresStatement(
    "vault_terminate", .int8, sql: "SELECT pg_terminate_backend($1::int4, 60000)")

  /// Waits until a store, or another program, waits in a statement with a text, for a lock, asleep, or for a standby. Returns its process.
  ///
  /// - Parameter kind: PostgreSQL's name for what it waits for; `nil` for any of these.
  @discardableResult func findsWaiting(_ text: String, _ kind: String? = nil, of program: String = "vault")
    async throws -> Int64
  {
    try await poll("somebody who waits: \(text)") { [pool] in
      try await pool.run(
        Self.waiting, .text(text), kind.map(PostgresValue.text) ?? .null, .text(program)
      ).first?.decode("process", as: Int64.self)
    }
  }

  /// Waits until a store has run a statement with a text last, on one of its connections.
  func finds(_ text: String) async throws {
    try await waitUntil("a statement: \(text)") { [pool] in
      try await !pool.run(Self.seen, .text(text)).isEmpty
    }
  }

  /// Ends a connection, and waits for its end.
  func terminate(_ process: Int64) async throws { try await pool.run(Self.terminate, .int8(process)) }

  /// A connection of another hand, for a body that holds locks. It rolls back at the end.
  func other<Result: Sendable>(
    _ body: @Sendable (PostgresConnection) async throws -> Result
  ) async throws -> Result {
    let connection = try await PostgresConnection.open(pool.configuration)
    do {
      let result = try await body(connection)
      await connection.close()
      return result
    } catch {
      await connection.close()
      throw error
    }
  }
}

extension PostgresCluster {
  /// Runs a script without parameters, as another program would.
  func run(_ sql: String, in database: String = "postgres") async throws {
    var configuration = configuration
    configuration.database = database
    let connection = try await PostgresConnection.open(configuration)
    do {
      try await connection.run(script: sql, named: "by hand", effect: .nothing)
      await connection.close()
    } catch {
      await connection.close()
      throw error
    }
  }
}
