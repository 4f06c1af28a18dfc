import Synchronization

/// A pool of connections to one server.
///
/// It opens at most `size` connections. When all are in use, tasks wait for one in the order of their arrival. A
/// connection that has ended is replaced.
public final class PostgresPool: Sendable {
  /// The server and the credentials of all connections.
  public let configuration: PostgresConfiguration
  /// The time limit of the wait for a connection.
  public let waitLimit: Duration

  private let turns: TaskSemaphore
  private let idle = Mutex<[PostgresConnection]>([])
  let clock: any Clock<Duration>
  let chance: @Sendable () -> UInt64

  /// - Parameters:
  ///   - size: the maximum number of connections.
  ///   - waitLimit: the time limit of the wait for a connection.
  ///   - clock: the clock for that limit, and for the delays between the tries of a transaction.
  ///   - chance: draws a random number, for these delays.
  public init(
    _ configuration: PostgresConfiguration, size: Int, waitLimit: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
  ) {
    precondition(size > 0, "a pool of no connections")
    self.configuration = configuration
    self.waitLimit = waitLimit
    self.clock = clock
    self.chance = chance
    turns = TaskSemaphore(size, clock: clock)
  }

  /// Runs one statement outside of a transaction. It commits.
  ///
  /// - Parameter limit: the time limit; `nil` for the configuration's.
  /// - Throws: `PostgresError`; `CancellationError`; or `UnknownOutcome` if the statement's answer is missing.
  @discardableResult
  public func run(
    _ statement: PostgresStatement, _ values: PostgresValue..., within limit: Duration? = nil
  ) async throws -> PostgresRows {
    let connection = try await lease()
    do {
      let rows = try await connection.run(statement, values, within: limit)
      await giveBack(connection)
      return rows
    } catch {
      await giveBack(connection)
      throw error
    }
  }

  /// Refuses further work, waits until running statements and transactions have ended, and closes all connections.
  public func close() async {
    await turns.close()
    for connection in idle.withLock({ idle in
      defer { idle = [] }
      return idle
    }) {
      await connection.close()
    }
  }

  /// Waits for a usable connection. The caller must give it back.
  func lease() async throws -> PostgresConnection {
    try await turns.take(within: waitLimit)
    while let connection = idle.withLock({ $0.popLast() }) {
      if await connection.isReusable() { return connection }
      await connection.close()
    }
    do {
      return try await PostgresConnection.open(configuration)
    } catch {
      turns.giveBack()
      throw error
    }
  }

  func giveBack(_ connection: PostgresConnection) async {
    if await connection.isReusable() {
      idle.withLock { $0.append(connection) }
    } else {
      await connection.close()
    }
    turns.giveBack()
  }

  /// The number of tasks that wait for a connection, for tests.
  var waitingCount: Int { turns.waitingCount }
}
