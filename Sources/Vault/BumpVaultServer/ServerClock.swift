#if Vault
  import BumpVaultHTTP
  import BumpVaultPostgres
  import Glibc
  import Synchronization

  /// The clock by which a server judges challenges and signed requests: that of the vault's database, which all its
  /// servers share, or this machine's for a file.
  ///
  /// The database is asked at intervals. In between, a clock that is never set measures the time, so it does not matter
  /// whether this machine's clock is right.
  final class ServerClock: Sendable {
    private let store: PostgresVaultStore?
    /// The database's time when this machine was started, in milliseconds since 1970; `nil` for a file.
    private let start = Mutex<Int64?>(nil)

    /// - Parameter store: the store in a database; `nil` for a file.
    init(_ store: PostgresVaultStore?) async throws {
      self.store = store
      try await adjust()
    }

    /// Returns the time of this machine's clock in seconds since 1970.
    @Sendable static func seconds() -> Int64 { machine() / 1000 }

    /// Returns the time in milliseconds since 1970.
    func now() -> Int64 {
      if let start = start.withLock(\.self) { return start + VaultService.uptime() }
      return Self.machine()
    }

    /// The time of this machine's clock in milliseconds since 1970.
    private static func machine() -> Int64 {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// Asks the database for its time, and takes the answer as the time halfway between question and answer.
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
