#if Vault
  import BumpPostgres
  import BumpVault
  import BumpVaultPostgres
  import BumpVaultSQLite
  import Foundation
  import Lab
  import Measures
  import Testing
  import VaultContract

  /// Money is neither made nor lost, whatever fails. Ten thousand steps, with `--all`, take some minutes: BUMP_VAULT_STEPS
  /// says how many, and BUMP_VAULT_SEED by which dice.
  @Suite(.live, .serialized, .processes(2, isLong: true)) struct HistoryTests {
    private static let steps =
      ProcessInfo.processInfo.environment["BUMP_VAULT_STEPS"].flatMap { Int($0) }
      ?? (Measure.isThorough ? 10_000 : 400)
    private static let seed = ProcessInfo.processInfo.environment["BUMP_VAULT_SEED"].flatMap { UInt64($0) } ?? 21
    private static let every = max(40, steps / 80)
    private static let limits = ["--pending", "150", "--deposits-per-day", "100000"]
    private static let generous = VaultLimits(pending: 100_000, depositsPerDay: 100_000)

    private func expectSound(_ arguments: [String], _ environment: [String: String], within prefix: [String] = [])
      async throws
    {
      let audit = try await RunningProcess.start(
        prefix + [ServedVault.binary, "audit"] + arguments,
        environment: environment.merging(["HOME": "/nonexistent"]) { given, _ in given }
      ).finish()
      #expect(audit.status == 0 && audit.standardOutput.contains("The books are in order."), "\(audit)")
    }

    @Test func `whatever becomes of the server and the disk of a file, everybody has what they are owed`() async throws
    {
      try await SmallDisk.with(megabytes: 48) { disk in
        let scene = try await Scene(
          StoreMaker { identity, clock in
            try await SQLiteVaultStore.open(at: disk.outside("vault.sqlite"), clock: clock) { identity }
          }, limits: Self.generous)
        let arguments = ["--store", disk.inside("vault.sqlite")] + Self.limits
        @Sendable func serve(_ more: String...) async throws -> ServedVault {
          try await ServedVault.start(arguments + more, within: disk.enter)
        }
        let history = try await ServedHistory(scene, seed: Self.seed) {
          // All of it is in the file then.
          await (scene.store as? SQLiteVaultStore)?.close()
          try await disk.moveIn("vault.sqlite")
          return [try await serve("--moved")]
        }
        try await history.run(steps: Self.steps, seed: Self.seed, every: Self.every) { number in
          // Every other time the disk is full at that time, or for as long as some requests take.
          if number.isMultiple(of: 2) {
            try disk.fill()
            // What its log has is used up first.
            while try await history.mint(1)?.status != 503 {}
          }
          if !number.isMultiple(of: 4) {
            let old = try #require(history.servers.value.first)
            old.process.signal(SIGKILL)
            _ = try await old.process.finish()
            try disk.clear()
            let new = try await serve()
            history.servers.change { $0 = [new] }
          }
          try disk.clear()
        }
        try await history.end()
        print(history.summary)
        #expect(history.receipts > Self.steps / 20, "a history in which little happens")
        let server = try #require(history.servers.value.first)
        server.process.signal(SIGTERM)
        #expect(try await server.process.finish().status == 0)
        try await expectSound(["--store", disk.inside("vault.sqlite")], [:], within: disk.enter)
      }
    }

    @Test func `whatever becomes of servers and their database, everybody has what they are owed`() async throws {
      try await PostgresCluster.with(settings: [:]) { cluster in
        let url = "postgresql://\(PostgresCluster.user)@/postgres?host=\(cluster.socketDirectory)"
        let environment = ["PGPASSWORD": PostgresCluster.password]
        @Sendable func serve() async throws -> ServedVault {
          try await ServedVault.start(["--postgres", url] + Self.limits, environment: environment)
        }
        let configuration = PostgresConfiguration(
          host: cluster.socketDirectory, database: "postgres", user: PostgresCluster.user,
          password: PostgresPassword(PostgresCluster.password), applicationName: "before")
        let opened = ObservedValue<PostgresVaultStore?>(nil)
        let scene = try await Scene(
          StoreMaker { identity, clock in
            let store = try await PostgresVaultStore.open(configuration, clock: { _ in clock() }, draw: { identity })
            opened.change { $0 = store }
            return store
          }, limits: Self.generous)
        let history = try await ServedHistory(scene, seed: Self.seed) {
          await opened.value?.close()
          return [try await serve(), try await serve()]
        }
        try await history.run(steps: Self.steps, seed: Self.seed, every: Self.every) { number in
          let place = number % 2
          switch number % 4 {
          case 0:
            // The server of PostgreSQL ends all of its processes then, and recovers.
            try await cluster.sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'bump-vault' LIMIT 1") {
              "kill -KILL \($0); until \(cluster.psql) 'SELECT 1'; do sleep 0.1; done"
            }
          case 1:
            try await cluster.sql(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bump-vault' AND state <> 'idle'"
            )
          default:
            let old = history.servers.value[place]
            old.process.signal(SIGKILL)
            _ = try await old.process.finish()
            let new = try await serve()
            history.servers.change { $0[place] = new }
          }
        }
        try await history.end()
        print(history.summary)
        #expect(history.receipts > Self.steps / 20, "a history in which little happens")
        for server in history.servers.value {
          server.process.signal(SIGTERM)
          #expect(try await server.process.finish().status == 0)
        }
        try await expectSound(["--postgres", url], environment)
      }
    }
  }

  extension PostgresCluster {
    /// The beginning of a command that runs SQL within the host's namespaces.
    fileprivate var psql: String {
      "PGPASSWORD='\(Self.password)' psql -XqAt -h /run/postgresql -U \(Self.user) postgres -c"
    }

    /// Runs SQL, and a script of `sh` with what it answered.
    fileprivate func sql(_ statement: String, then script: (String) -> String = { _ in ":" }) async throws {
      try await inside("answer=$(\(psql) \"\(statement)\"); \(script("$answer"))")
    }
  }

  /// A small file system of its own, which ends with the test.
  private struct SmallDisk: Sendable {
    private let holder: RunningProcess
    private let directory: String
    private let name: String

    /// The beginning of a command that runs another where the disk is.
    var enter: [String] { ["nsenter", "--mount=/proc/\(holder.processID)/ns/mnt", "--"] }

    static func with(megabytes: Int, _ body: @Sendable (SmallDisk) async throws -> Void) async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(atPath: directory) }
      try FileManager.default.createDirectory(atPath: "\(directory)/disk", withIntermediateDirectories: true)
      // The namespace lives until its `cat` has no input any more.
      let holder = try await RunningProcess.start([
        "unshare", "--mount", "--propagation", "private", "sh", "-ec",
        "mount -t tmpfs -o mode=700,size=\(megabytes)m tmpfs '\(directory)/disk'; echo mounted; exec cat",
      ])
      try await holder.line { $0 == "mounted" }
      do {
        try await body(SmallDisk(holder: holder, directory: directory, name: "disk"))
      } catch {
        holder.closeInput()
        _ = try? await holder.finish()
        throw error
      }
      holder.closeInput()
      _ = try await holder.finish()
    }

    /// The path of a file on the disk, for a command that was entered.
    func inside(_ file: String) -> String { "\(directory)/\(name)/\(file)" }
    /// The path of a file beside the disk.
    func outside(_ file: String) -> String { "\(directory)/\(file)" }
    /// The path of what fills it, for this process.
    private var filler: String { "/proc/\(holder.processID)/root\(inside("filler"))" }

    func moveIn(_ file: String) async throws {
      let copied = try await RunningProcess.start(enter + ["cp", "-p", outside(file), inside(file)]).finish()
      guard copied.status == 0 else { throw Unexpected(description: "\(copied)") }
    }

    /// Leaves no room on the disk.
    func fill() throws {
      let file = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw Unexpected(description: "the disk cannot be filled: \(errno)") }
      defer { close(file) }
      let zeros = [UInt8](repeating: 0, count: 65_536)
      for size in [65_536, 4096] { while zeros.withUnsafeBytes({ write(file, $0.baseAddress, size) }) == size {} }
    }

    func clear() throws {
      guard unlink(filler) == 0 || errno == ENOENT else {
        throw Unexpected(description: "the disk cannot be cleared: \(errno)")
      }
    }
  }
#endif
