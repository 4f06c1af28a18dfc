import BumpClaims
import Foundation
import Glibc
import Lab
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  /// A store can be damaged by a disk, or by somebody's hand: that is said, and crashes nothing.
  @Suite struct Damage {
    /// A store with one claim sent and one received, both with a secret of sevens.
    private func filled(_ place: TemporaryDirectory) async throws -> ClaimStore {
      let store = try await ClaimStore.open(at: place.store)
      let random = RandomBytes { [UInt8](repeating: 7, count: $0) }
      _ = try await store.create(amount: Amount("1.00"), token: .usdc, expiry: #require(later), at: 1, random: random)
      _ = try await store.store(received(claim()), at: 2)
      return store
    }

    private func expectDamage(in place: TemporaryDirectory, _ why: String) async throws {
      let store = try #require(try await ClaimStore.openForReading(at: place.store))
      let error = await #expect(throws: StoreError.self, "\(why)") { try await store.history(limit: 10) }
      #expect(error?.code == .failed)
      let text = error?.description ?? ""
      #expect(text.contains(place.store), "\(text)")
      #expect(text.contains("damaged"), "\(text)")
      for leak in ["BwcHBwc", "07070707", "7, 7, 7", "\u{7}"] { #expect(!text.contains(leak), "\(text)") }
    }

    static let values = [
      "a short secret": "secret = zeroblob(15)", "a long secret": "secret = zeroblob(17)", "no secret": "secret = x''",
      "a token in small letters": "token = 'usdc'", "an empty token": "token = ''", "an amount of zero": "amount = 0",
      "a negative amount": "amount = -1", "a negative expiry": "expiry = -1", "an id with a slash": "claimId = 'a/b'",
      "an empty id": "claimId = ''", "an id that is not UTF-8": "claimId = CAST(x'ff' AS TEXT)",
    ]

    @Test(arguments: values, ["outgoing", "incoming"])
    func `a value that cannot be is damage`(value: (key: String, value: String), table: String) async throws {
      let place = try TemporaryDirectory()
      _ = try await filled(place)
      try place.tamperWithStore("UPDATE \(table) SET \(value.value)")
      try await expectDamage(in: place, value.key)
    }

    @Test(arguments: [
      ("outgoing", "state = 'gone'"), ("outgoing", "state = ''"), ("outgoing", "peer = printf('%064d', 0)"),
      ("incoming", "sender = printf('%064d', 0)"),
    ])
    func `a state or a name that cannot be is damage`(table: String, sql: String) async throws {
      let place = try TemporaryDirectory()
      _ = try await filled(place)
      try place.tamperWithStore("UPDATE \(table) SET \(sql)")
      try await expectDamage(in: place, sql)
    }

    /// What a table without its rules would take. Its text is put back, so that it looks as bump made it.
    @Test(
      arguments: ["outgoing", "incoming"],
      ["claimId", "secret", "token", "amount", "expiry"].flatMap {
        ["\($0) = NULL", "\($0) = 'x'", "\($0) = x'ff'", "\($0) = 1.5"]
      }
      .filter { !["claimId = 'x'", "amount = 1.5", "expiry = 1.5", "claimId = 1.5"].contains($0) })
    func `a value of another type is damage`(table: String, sql: String) async throws {
      let place = try TemporaryDirectory()
      _ = try await filled(place)
      let loosen = "replace(replace(sql, ') STRICT', ')'), 'NOT NULL', '')"
      try place.tamperWithStore(
        """
        CREATE TABLE kept AS SELECT name, sql FROM sqlite_schema WHERE name = '\(table)';
        PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = \(loosen) WHERE name = '\(table)'
        """)
      try place.tamperWithStore("UPDATE \(table) SET \(sql)")
      try place.tamperWithStore(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = (SELECT sql FROM kept) WHERE name = '\(table)'
        """)
      try place.tamperWithStore("DROP TABLE kept")
      try await expectDamage(in: place, sql)
    }

    @Test func `a file whose pages are garbage is damage`() async throws {
      let place = try TemporaryDirectory()
      _ = try await filled(place)
      // Close-on-exec: a child of another test would keep it open otherwise.
      let file = open(place.store, O_RDWR | O_CLOEXEC)
      defer { close(file) }
      // The first page tells where the tables are (SQLite file format §1.3); theirs are behind it.
      let garbage = [UInt8](repeating: 0xA5, count: Int(lseek(file, 0, SEEK_END)) - 4096)
      #expect(pwrite(file, garbage, garbage.count, 4096) == garbage.count)
      let error = await #expect(throws: StoreError.self) {
        try await ClaimStore.openForReading(at: place.store)?.history(limit: 10)
      }
      #expect(error?.description.contains("malformed") == true)
    }

    @Test func `a claim that cannot be written twice says so without its secret`() async throws {
      let place = try TemporaryDirectory()
      let store = try await filled(place)
      let random = RandomBytes { [UInt8](repeating: 7, count: $0) }
      let error = await #expect(throws: StoreError.self) {
        try await store.create(amount: Amount("1.00"), token: .usdc, expiry: #require(later), at: 1, random: random)
      }
      let text = String(reflecting: error) + (error?.description ?? "")
      #expect(text.contains("UNIQUE"))
      for leak in ["BwcHBwc", "07070707", "7, 7, 7", "\u{7}"] { #expect(!text.contains(leak), "\(text)") }
    }

    /// As a store's journal is now, and as it was before, or is with `sqlite3` by hand.
    @Test(arguments: ["PERSIST", "DELETE", "TRUNCATE"])
    func `a store whose writer was killed amid a write can be read`(mode: String) async throws {
      let place = try TemporaryDirectory()
      _ = try await filled(place)
      // With a cache of one page the write reaches the file before its end, and only the journal can undo it.
      let script = """
        import os, sqlite3, sys
        store = sqlite3.connect(sys.argv[1], isolation_level=None)
        store.execute("PRAGMA journal_mode = \(mode)")
        store.execute("PRAGMA cache_size = 1")
        store.execute("BEGIN IMMEDIATE")
        store.execute("UPDATE outgoing SET state = 'unknown'")
        store.execute("INSERT INTO room VALUES (zeroblob(400000))")
        os.kill(os.getpid(), 9)
        """
      let written = try await RunningProcess.start(["python3", "-c", script, place.store]).finish()
      #expect(written.status == -SIGKILL, "\(written)")
      #expect(FileManager.default.fileExists(atPath: place.store + "-journal"), "there is something to undo")
      let store = try #require(try await ClaimStore.openForReading(at: place.store))
      let states = try await store.history(limit: 10).compactMap {
        if case .sent(let claim) = $0 { claim.state } else { nil }
      }
      #expect(states == [.new])
    }
  }
}
