import Foundation
import Synchronization

/// A private PostgreSQL server on a `Host`. It runs as the user `postgres`, listens on a Unix socket, with TLS on an address
/// of loopback too, and keeps its data in the host's memory by default. Needs root, and Debian's package `postgresql`.
///
/// Host, server and data end with the tests' process, even where that crashes.
public final class PostgresCluster: Sendable {
  /// The superuser and its password.
  public static let user = "lab"
  public static let password = "correct horse"

  private let host: Host
  /// The data directory, as the server sees it.
  public let data: String
  private let server: Mutex<RunningProcess>
  /// Its TLS; `nil` where it listens on its Unix socket only.
  public let tls: PostgresTLS?

  /// The server that the tests of this process share. It ends with the process.
  public static func shared() async throws -> PostgresCluster { try await sharedTask.value }
  private static let sharedTask = Task { try await start() }

  /// Starts a server, and returns when it accepts connections.
  ///
  /// - Parameters:
  ///   - settings: lines of postgresql.conf. Without `fsync` commits survive a crash of the server, but no power cut.
  ///   - directory: the data directory on a disk, which is created and not removed; `nil` for the host's memory.
  ///   - hasTLS: whether it also listens on an address of loopback that the tests' own process reaches, with TLS.
  public static func start(
    settings: [String: String] = ["fsync": "off"], directory: String? = nil, hasTLS: Bool = false
  ) async throws -> PostgresCluster {
    let host = try await Host.start("postgres")
    do {
      let tls = hasTLS ? try await PostgresTLS.make(on: host) : nil
      let data = directory ?? "/run/data"
      try await host.shell(
        """
        mkdir -p /run/postgresql '\(data)'
        chown postgres:postgres /run/postgresql '\(data)'
        printf %s '\(password)' >/run/password
        chmod 644 /run/password
        # Some tools make /dev/null inaccessible to other users when root lets them write to it. initdb needs it.
        mknod -m 666 /run/null c 1 3
        mount --bind /run/null /dev/null
        """)
      let initdb = try await host.run(
        asPostgres + [
          try program("initdb"), "--pgdata=\(data)", "--username=\(user)", "--pwfile=/run/password",
          "--auth=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-sync", "--wal-segsize=1",
        ])
      guard initdb.status == 0 else { throw CommandFailed(finished: initdb) }
      let lines = settings.merging(tls?.settings ?? [:]) { $1 }.sorted { $0.key < $1.key }
        .map { "\($0.key) = '\($0.value)'\n" }
      let own = """
        listen_addresses = ''
        unix_socket_directories = '/run/postgresql'
        max_wal_size = 64MB
        min_wal_size = 2MB

        """
      try await host.shell("cat >>'\(data)/postgresql.conf' <<'END'\n\(own)\(lines.joined())END")
      return PostgresCluster(host, data, tls, try await run(on: host, data, isReachable: hasTLS))
    } catch {
      try? await host.stop()
      throw error
    }
  }

  /// Starts a server for a body that may kill it, and ends it afterwards.
  public static func with<Result: Sendable>(
    settings: [String: String] = ["fsync": "off"], hasTLS: Bool = false,
    _ body: @Sendable (PostgresCluster) async throws -> Result
  ) async throws -> Result {
    let cluster = try await start(settings: settings, hasTLS: hasTLS)
    do {
      let result = try await body(cluster)
      try await cluster.end()
      return result
    } catch {
      try? await cluster.end()
      throw error
    }
  }

  private init(_ host: Host, _ data: String, _ tls: PostgresTLS?, _ server: RunningProcess) {
    self.host = host
    self.data = data
    self.tls = tls
    self.server = Mutex(server)
  }

  /// The directory of its Unix socket, as this process sees it.
  public var socketDirectory: String { host.path("/run/postgresql") }

  /// The data directory, as this process sees it.
  public var dataDirectory: String { host.path(data) }

  /// What the server has logged since its last start.
  public var log: String { server.withLock(\.self).standardError.text }

  /// Ends the server and its host.
  public func end() async throws { try await host.stop() }

  /// Sends SIGKILL to a process of the server, by its `pg_backend_pid()`. The server then ends all other processes, and
  /// recovers.
  public func kill(_ process: Int64) async throws {
    try await inside("kill -KILL \(process)")
  }

  /// The ways to end a server (PostgreSQL's documentation, §19.5).
  public enum Shutdown: String, Sendable, CaseIterable {
    /// With a message to every client, as its service does it.
    case fast = "INT"
    /// Without a checkpoint, so it recovers at the next start.
    case immediate = "QUIT"
    /// By SIGKILL, without a message.
    case killed = "KILL"
  }

  /// Ends the server, and waits for its end.
  public func stop(_ shutdown: Shutdown = .fast) async throws {
    try await inside("kill -\(shutdown.rawValue) $(head -n 1 '\(data)/postmaster.pid')")
    _ = try await server.withLock(\.self).finish()
  }

  /// Starts the stopped server again.
  public func startAgain() async throws {
    let again = try await Self.run(on: host, data, isReachable: tls != nil)
    server.withLock { $0 = again }
  }

  /// Runs a script of `sh` as root within the host's namespaces, in which processes have the server's numbers.
  public func inside(_ script: String) async throws {
    let process = try await host.spawn(["sh", "-ec", script], asItsOwn: true)
    let finished = try await process.finish()
    guard finished.status == 0 else { throw CommandFailed(finished: finished) }
  }

  private static let asPostgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]

  /// Has its own IPC namespace, so that the server's semaphores and shared memory end with it.
  private static func run(on host: Host, _ data: String, isReachable: Bool) async throws -> RunningProcess {
    let server = try await host.spawn(
      ["unshare", "--ipc", "--"] + asPostgres + [try program("postgres"), "-D", data], asItsOwn: true,
      isReachable: isReachable)
    try await server.line(on: .error) { $0.contains("database system is ready to accept connections") }
    return server
  }

  /// The path of a program of the newest installed server. Debian keeps them out of PATH.
  private static func program(_ name: String) throws -> String {
    let folder = "/usr/lib/postgresql"
    let versions = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { Int($0) }
    return "\(folder)/\(versions.max() ?? 15)/bin/\(name)"
  }
}
