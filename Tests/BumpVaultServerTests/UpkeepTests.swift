#if Vault
  import BumpVault
  import BumpVaultSQLite
  import BumpWallet
  import Foundation
  import Lab
  import Testing

  /// What the server does beside the requests.
  @Suite(.processes(2)) struct UpkeepTests {
    @Test func `a server that has ended leaves no entry of its journal unsealed`() async throws {
      try await ServedVault.with { served, store in
        let claim = try ServedClaim(served)
        try await claim.lock(by: wallet(1))
        #expect(try await claim.take(to: wallet(2).address).status == 200)
        served.process.signal(SIGTERM)
        #expect(try await served.process.finish().status == 0)
        let left = try await SQLiteVaultStore.open(at: store)
        #expect(try await left.seal(limit: 1) == nil)
      }
    }

    @Test func `a store whose time was once ahead is served, and the log says that deposits are refused`() async throws
    {
      try await ServedVault.with { served, path in
        let store = try await SQLiteVaultStore.open(
          at: path, clock: { MachineTime(clock: MachineTime.now().clock + 3600) })
        try await store.removeDrafts(lifetime: 600)
        let later = try await ServedVault.start(["--store", path])
        let line = try await later.process.line(on: .error) { $0.contains("the store's time is ahead of the clock") }
        #expect(try JSONObject(line).string("level") == "warning", "\(line)")
        let claim = try ServedClaim(later, lasting: 7200)
        #expect(try await claim.draft().status == 201)
        let refused = try await claim.deposit(by: wallet(1))
        #expect(refused.status == 410 && refused.body.contains("authorization-expired"), "\(refused)")
        later.process.signal(SIGTERM)
        #expect(try await later.process.finish().status == 0)
      }
    }

    @Test func `a server removes the drafts that have lapsed`() async throws {
      try await ServedVault.with { served, path in
        let claim = try ServedClaim(served)
        #expect(try await claim.draft().status == 201)
        served.process.signal(SIGTERM)
        #expect(try await served.process.finish().status == 0)
        // An hour later, by the store's time, which never goes back.
        let store = try await SQLiteVaultStore.open(
          at: path, clock: { MachineTime(clock: MachineTime.now().clock + 3600) })
        #expect(try await store.removeDrafts(lifetime: 7200) == 0)
        #expect(try await store.rows(of: claim.id).claim != nil)
        let later = try await ServedVault.start(["--store", path])
        try await waitUntil("the draft's removal") { try await store.rows(of: claim.id).claim == nil }
        later.process.signal(SIGTERM)
        #expect(try await later.process.finish().status == 0)
      }
    }

    @Test func `what has no vault in it is not audited, and nothing is made`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let store = "\(directory)/vault.sqlite"
      func audit() async throws -> ProcessResult {
        try await RunningProcess.start([ServedVault.binary, "audit", "--store", store]).finish()
      }
      let absent = try await audit()
      #expect(absent.status == 1 && absent.standardOutput.isEmpty && absent.standardError.contains(store), "\(absent)")
      #expect(!FileManager.default.fileExists(atPath: directory))
      #expect(mkdir(directory, 0o700) == 0 && mknod(store, S_IFREG | 0o600, 0) == 0)
      let empty = try await audit()
      #expect(empty.status == 1 && empty.standardError.contains("there is no vault in it"), "\(empty)")
      #expect(try Data(contentsOf: URL(filePath: store)).isEmpty)
    }

    /// SQLite cannot make the index there by which processes share a log. It reads the one that a killed server left.
    @Test func `an audit reads a store on a read-only mount, or says why it cannot`() async throws {
      try await ServedVault.with { served, path in
        let claim = try ServedClaim(served)
        try await claim.lock(by: wallet(1))
        let directory = URL(filePath: path).deletingLastPathComponent().path
        func audit() async throws -> ProcessResult {
          try await RunningProcess.start([
            "unshare", "--mount", "--propagation", "private", "sh", "-ec",
            #"mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; exec "$0" audit --store "$2""#, ServedVault.binary,
            directory, path,
          ]).finish()
        }
        served.process.signal(SIGKILL)
        _ = try await served.process.finish()
        let killed = try await audit()
        #expect(killed.status == 0 && killed.standardOutput.contains("locked 1000000 base units"), "\(killed)")
        try FileManager.default.removeItem(atPath: path + "-shm")
        let copied = try await audit()
        #expect(copied.status == 1 && copied.standardError.contains("vault.sqlite-wal cannot be read"), "\(copied)")
        // The next server puts all of it into the file.
        let next = try await ServedVault.start(["--store", path])
        next.process.signal(SIGTERM)
        #expect(try await next.process.finish().status == 0)
        let ended = try await audit()
        #expect(ended.status == 0 && ended.standardOutput.contains("The books are in order."), "\(ended)")
      }
    }

    @Test func `the operator sees whether the clock is believed, and confirms it by a watch of their own`() async throws
    {
      try await ServedVault.with { served, path in
        try await ServedClaim(served).lock(by: wallet(1))
        @Sendable func clock(_ arguments: String...) async throws -> ProcessResult {
          try await RunningProcess.start([ServedVault.binary, "clock", "--store", path] + arguments).finish()
        }
        let well = try await clock()
        #expect(well.status == 0 && well.standardOutput.contains("The clock is believed."), "\(well)")
        let wrong = try await clock("--confirm", "2020-01-31T12:00")
        #expect(wrong.status == 1 && wrong.standardError.contains("the clock says 20"), "\(wrong)")
        // A machine that was off for an hour.
        let now = MachineTime.now().clock
        let off = try await SQLiteVaultStore.open(
          at: path, clock: { MachineTime(clock: now + 3600, uptime: 0, boot: "another") })
        let time = try await off.currentTime()
        #expect(time.lead > 3500 && time.warning != nil)
        let right = try await clock("--confirm", Date(timeIntervalSince1970: TimeInterval(now)).formatted(.iso8601))
        #expect(right.status == 0 && right.standardOutput.contains("The clock is believed."), "\(right)")
        #expect(try await served.ask("GET", "/readyz").body == #"{"status":"ok"}"#)
      }
    }

    @Test func `a backup that was written over the store is not served`() async throws {
      try await ServedVault.with { served, path in
        let claim = try ServedClaim(served)
        try await claim.lock(by: wallet(1))
        served.process.signal(SIGTERM)
        #expect(try await served.process.finish().status == 0)
        let backup = try Data(contentsOf: URL(filePath: path))
        let second = try await ServedVault.start(["--store", path])
        #expect(try await claim.take(to: wallet(2).address, at: second).status == 200)
        second.process.signal(SIGTERM)
        #expect(try await second.process.finish().status == 0)
        try backup.write(to: URL(filePath: path))
        let third = try await RunningProcess.start([
          ServedVault.binary, "serve", "--store", path, "--listen", "127.0.0.1:0",
        ])
        .finish()
        #expect(third.status == 1 && third.standardError.contains("a backup took its place"), "\(third)")
        #expect(third.standardError.contains("with --copied"))
      }
    }

    @Test func `who waits for a claim that does not change hears that the server is there`() async throws {
      try await ServedVault.with { served, _ in
        let claim = try ServedClaim(served)
        try await claim.lock(by: wallet(1))
        try await Wire.open(served.port) { wire in
          try await wire.send("GET \(claim.path)/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
          let heard = try await wire.text("\r\n:\n\n")
          #expect(heard.text.contains("event: pending") && heard.text.contains("\r\n:\n\n"), "\(heard)")
        }
      }
    }
  }
#endif
