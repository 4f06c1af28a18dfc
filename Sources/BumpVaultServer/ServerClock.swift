#if Vault
  import BumpVaultHTTP
  import BumpVaultPostgres
  import Glibc
  import Synchronization

  /// The time by which a server judges challenges and signed requests: that of the vault's database, which all its servers
  /// share, or of this machine for a file.
  ///
  /// The database is asked now and then. In between the time goes on by a clock that is never set, so it does not matter
  /// whether this machine's clock is right.
  final class ServerClock: Sendable {
    private let store: PostgresVaultStore?
    /// The database's time when this machine was started, in milliseconds since 1970.
    private let start = Mutex<Int64?>(nil)

    /// - Parameter store: `nil` for a file's vault.
    init(_ store: PostgresVaultStore?) async throws {
      self.store = store
      try await adjust()
    }

    /// Milliseconds since 1970.
    func now() -> Int64 {
      if let start = start.withLock(\.self) { return start + VaultService.uptime() }
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// Asks the database for its time. The answer was true some time between question and answer.
    func adjust() async throws {
      guard let store else { return }
      let asked = VaultService.uptime()
      let time = try await store.time()
      let answered = VaultService.uptime()
      start.withLock { $0 = time - (asked + answered) / 2 }
    }
  }

  extension OpenedStore {
    func clock() async throws -> ServerClock {
      switch self {
      case .sqlite: try await ServerClock(nil)
      case .postgres(let store): try await ServerClock(store)
      }
    }
  }
#endif
