import BumpClaims
import BumpWire
import Foundation
import GRDB
import Glibc
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  @Suite struct File {
    @Test func `a new store is for its owner's eyes, and so is every directory made for it`() async throws {
      let place = try TemporaryDirectory()
      _ = try await create(ClaimStore.open(at: place.path("share/bump/bump.sqlite")))
      #expect(try place.mode("share/bump/bump.sqlite") == 0o600)
      #expect(try place.mode("share/bump") == 0o700)
      #expect(try place.mode("share") == 0o700)
    }

    @Test func `a directory made for a store has its mode from the first moment`() async throws {
      let place = try TemporaryDirectory()
      let watch = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      defer { close(watch) }
      #expect(inotify_add_watch(watch, place.directory, UInt32(IN_CREATE | IN_ATTRIB)) >= 0)
      _ = try await ClaimStore.open(at: place.path("share/bump.sqlite"))
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(watch, &bytes, bytes.count)
      // struct inotify_event of inotify(7): watch, mask, cookie, length of the name.
      var (masks, offset) = ([UInt32](), 0)
      while offset + 16 <= count {
        let field = { [offset] number in
          bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset + 4 * number, as: UInt32.self) }
        }
        masks.append(field(1) & UInt32(IN_CREATE | IN_ATTRIB))
        offset += 16 + Int(field(3))
      }
      #expect(masks == [UInt32(IN_CREATE)], "it was made, and its mode not changed afterwards")
    }

    @Test func `a FIFO is no store, and is not waited for`() async throws {
      let place = try TemporaryDirectory()
      try #require(mkfifo(place.store, 0o600) == 0)
      let error = await #expect(throws: StoreError.self) { try await ClaimStore.openForReading(at: place.store) }
      #expect(error?.description.hasSuffix("cannot be used: it is not a regular file") == true)
      await #expect(throws: StoreError.self) { try await ClaimStore.open(at: place.store) }
    }

    /// Opens a store for writing and for reading, and expects both to be refused alike.
    private func expectRefusal(of place: TemporaryDirectory, _ reason: String, remedy: String?) async throws {
      let before = try Data(contentsOf: URL(filePath: place.store))
      for error in [
        await #expect(throws: StoreError.self) { try await ClaimStore.open(at: place.store) },
        await #expect(throws: StoreError.self) { try await ClaimStore.openForReading(at: place.store) },
      ] {
        #expect(error?.reason.hasSuffix("cannot be used: \(reason)") == true, "\(error?.description ?? "")")
        #expect(error?.remedy == remedy)
      }
      #expect(try Data(contentsOf: URL(filePath: place.store)) == before)
    }

    /// SQLite's other files too: it believes the pages of a journal, and writes what was in the store to one that is there.
    @Test(arguments: ["", "-journal", "-wal", "-shm"], [0o644, 0o660, 0o604])
    func `a store that others can read or write is refused, as is a file of SQLite's beside it`(
      suffix: String, mode: Int
    ) async throws {
      let place = try TemporaryDirectory()
      _ = try await create(ClaimStore.open(at: place.store))
      let name = "bump.sqlite\(suffix)"
      if ["-wal", "-shm"].contains(suffix) { try place.write(Data(), to: name) }
      try place.setMode(mode, of: name)
      let what = suffix.isEmpty ? "it" : "its file \(place.path(name))"
      try await expectRefusal(
        of: place, "\(what) can be read by others", remedy: "If it is a store: chmod 600 \(place.path(name))")
      #expect(try place.mode(name) == mode)
      try place.setMode(0o600, of: name)
      if ["-wal", "-shm"].contains(suffix) { try FileManager.default.removeItem(atPath: place.path(name)) }
      #expect(try await ClaimStore.open(at: place.store).history(limit: 9).count == 1)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"), arguments: ["", "-journal"])
    func `a store of another user is refused, as is a journal of theirs`(suffix: String) async throws {
      let place = try TemporaryDirectory()
      _ = try await create(ClaimStore.open(at: place.store))
      #expect(chown(place.path("bump.sqlite\(suffix)"), 65534, 65534) == 0)
      let what = suffix.isEmpty ? "it" : "its file \(place.path("bump.sqlite\(suffix)"))"
      try await expectRefusal(of: place, "\(what) belongs to nobody, and must be yours or root's", remedy: nil)
    }

    /// They could put a journal of theirs beside it, or another store in its place.
    @Test func `a store in a directory in which others can write is refused`() async throws {
      let place = try TemporaryDirectory()
      _ = try await create(ClaimStore.open(at: place.store))
      for mode in [0o777, 0o730, 0o1777] {
        #expect(chmod(place.directory, mode_t(mode)) == 0)
        let remedy = mode == 0o1777 ? "Use a directory of its own" : "Try: chmod go-w \(place.directory)"
        try await expectRefusal(of: place, "others can write in the directory \(place.directory)", remedy: remedy)
      }
      #expect(chmod(place.directory, 0o755) == 0)
      _ = try await ClaimStore.open(at: place.store)
    }

    @Test(arguments: [0o777, 0o770, 0o702])
    func `a store is refused where others can rename a directory above it`(mode: mode_t) async throws {
      let above = try TemporaryDirectory()
      let path = above.path("below/bump.sqlite")
      _ = try await ClaimStore.open(at: path)
      #expect(chmod(above.directory, mode) == 0)
      let error = await #expect(throws: StoreError.self) { try await ClaimStore.open(at: path) }
      #expect(error?.reason.contains("others can write in the directory \(above.directory)") == true)
      // As /tmp: what is there they cannot rename.
      #expect(chmod(above.directory, 0o1777) == 0)
      _ = try await ClaimStore.open(at: path)
    }

    @Test func `a link to a store is the store, and its journal is beside that`() async throws {
      let (place, other) = (try TemporaryDirectory(), try TemporaryDirectory())
      _ = try await ClaimStore.open(at: place.store)
      for (link, target) in [("link", place.store), ("folder", place.directory)] {
        try FileManager.default.createSymbolicLink(atPath: other.path(link), withDestinationPath: target)
      }
      let name = URL(filePath: place.directory).lastPathComponent
      for path in [other.path("link"), other.path("folder/bump.sqlite"), place.path("./../\(name)/bump.sqlite")] {
        _ = try await create(ClaimStore.open(at: path))
      }
      #expect(try await ClaimStore.open(at: place.store).history(limit: 9).count == 3)
      #expect(try FileManager.default.contentsOfDirectory(atPath: other.directory).sorted() == ["folder", "link"])
      // Others could have it lead to another store, such as an older one.
      #expect(chmod(other.directory, 0o777) == 0)
      for name in ["link", "folder/bump.sqlite"] {
        await #expect(throws: StoreError.self) { try await ClaimStore.openForReading(at: other.path(name)) }
      }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `another user's link leads to no store`() async throws {
      let (place, other) = (try TemporaryDirectory(), try TemporaryDirectory())
      _ = try await ClaimStore.open(at: place.store)
      #expect(chmod(other.directory, 0o1777) == 0)
      try FileManager.default.createSymbolicLink(atPath: other.path("link"), withDestinationPath: place.store)
      _ = try await ClaimStore.open(at: other.path("link"))
      #expect(lchown(other.path("link"), 65534, 65534) == 0)
      let error = await #expect(throws: StoreError.self) { try await ClaimStore.open(at: other.path("link")) }
      #expect(error?.reason.contains("the link \(other.path("link")) belongs to nobody") == true)
    }

    @Test func `where a store would be refused none is made`() async throws {
      let place = try TemporaryDirectory()
      #expect(chmod(place.directory, 0o777) == 0)
      for name in ["bump.sqlite", "below/bump.sqlite"] {
        await #expect(throws: StoreError.self) { try await ClaimStore.open(at: place.path(name)) }
      }
      #expect(chmod(place.directory, 0o1777) == 0)
      await #expect(throws: StoreError.self) { try await ClaimStore.open(at: place.store) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.directory).isEmpty)
      _ = try await ClaimStore.open(at: place.path("below/bump.sqlite"))
    }

    @Test func `a link in place of the journal is refused`() async throws {
      let (place, other) = (try TemporaryDirectory(), try TemporaryDirectory())
      _ = try await create(ClaimStore.open(at: place.store))
      try FileManager.default.removeItem(atPath: place.path("bump.sqlite-journal"))
      try other.write(Data(), to: "theirs")
      try FileManager.default.createSymbolicLink(
        atPath: place.path("bump.sqlite-journal"), withDestinationPath: other.path("theirs"))
      try await expectRefusal(
        of: place, "its file \(place.path("bump.sqlite-journal")) is not a regular file", remedy: nil)
    }

    @Test func `a directory that is there keeps its mode`() async throws {
      let place = try TemporaryDirectory()
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.directory)
      _ = try await ClaimStore.open(at: place.store)
      #expect(try place.mode("") == 0o755)
    }

    @Test func `beside the store lies its journal alone, for its owner's eyes`() async throws {
      let place = try TemporaryDirectory()
      _ = try await create(ClaimStore.open(at: place.store))
      let names = try FileManager.default.contentsOfDirectory(atPath: place.directory).sorted()
      #expect(names == ["bump.sqlite", "bump.sqlite-journal"])
      #expect(try place.mode("bump.sqlite-journal") == 0o600)
    }

    @Test func `a database of another program is left as it is`() async throws {
      let place = try TemporaryDirectory()
      try place.tamperWithStore(
        "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('https://example.org')")
      let before = try Data(contentsOf: URL(filePath: place.store))
      for error in [
        await #expect(throws: StoreError.self) { try await ClaimStore.open(at: place.store) },
        await #expect(throws: StoreError.self) { try await ClaimStore.openForReading(at: place.store) },
      ] { #expect(error?.description.contains("is not a store of bump's") == true, "\(error?.description ?? "")") }
      #expect(try Data(contentsOf: URL(filePath: place.store)) == before)
    }

    @Test(arguments: [
      ["v1"],
      [
        "v1", "v2", "keys are confirmed", "claims in flight", "unknown claims in flight", "money at vaults",
        "flights by the clock since the boot", "draws are reserved by a send", "keys for each direction",
        "claims by expiry",
      ],
    ])
    func `a store of a development build is refused, with what to do, and left as it is`(migrations: [String])
      async throws
    {
      let place = try TemporaryDirectory()
      _ = try await create(ClaimStore.open(at: place.store))
      let values = migrations.map { "('\($0)')" }.joined(separator: ", ")
      try place.tamperWithStore("DELETE FROM grdb_migrations; INSERT INTO grdb_migrations VALUES \(values)")
      try await expectRefusal(
        of: place, "it was made by a development build of bump",
        remedy: "Redeem or note its claims with that build, then name another store with --store or BUMP_STORE")
    }

    @Test func `where no store is yet there is nothing to read, and reading makes none`() async throws {
      let place = try TemporaryDirectory()
      #expect(try await ClaimStore.openForReading(at: place.store) == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.directory).isEmpty)
    }

    @Test func `an empty file is a store that is still to be made`() async throws {
      let place = try TemporaryDirectory()
      try place.write(Data())
      #expect(try await ClaimStore.openForReading(at: place.store) == nil)
      let claim = try await create(ClaimStore.open(at: place.store)).claim
      #expect(try await ClaimStore.openForReading(at: place.store)?.outgoing(claim.id)?.claim == claim)
    }

    /// Each of its commits is a state in which a killed process, a full disk or a power cut leaves a new store.
    @Test func `a first start that ends after any of its commits leaves a store that the next start completes`()
      async throws
    {
      let place = try TemporaryDirectory()
      let copies = Copies(of: place.store)
      do {
        let queue = try DatabaseQueue(path: place.store)
        queue.add(transactionObserver: copies)
        try Schema.migrator.migrate(queue)
        try Schema.makeRoom(in: queue)
      }
      try #require(copies.left.count > Schema.migrator.migrations.count)
      for (number, left) in copies.left.enumerated() {
        let place = try TemporaryDirectory()
        try place.write(left)
        #expect(try await ClaimStore.openForReading(at: place.store)?.history(limit: 1) ?? [] == [], "\(number)")
        let claim = try await create(ClaimStore.open(at: place.store)).claim
        #expect(try await ClaimStore.openForReading(at: place.store)?.outgoing(claim.id)?.claim == claim, "\(number)")
      }
    }

    /// Paths below a place with a directory `directory` and a text file `notes`, and what is wrong with them.
    @Test(arguments: [
      ("directory", "it is a directory"), ("notes", "not a database"), ("notes/bump.sqlite", "not a directory"),
      ("notes/below/bump.sqlite", "not a directory"),
    ])
    func `a path where no store can be is named, with the reason`(name: String, reason: String) async throws {
      let place = try TemporaryDirectory()
      try FileManager.default.createDirectory(atPath: place.path("directory"), withIntermediateDirectories: false)
      try place.write(Data("Remember the milk.\n".utf8), to: "notes")
      let error = await #expect(throws: StoreError.self) { try await ClaimStore.open(at: place.path(name)) }
      #expect(error?.code == .unusable)
      #expect(error?.description.contains(place.path(name)) == true)
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
      #expect(error?.description.contains("\n") == false)
      // Nor is it said that there is none: what cannot be seen may be there.
      let reading = await #expect(throws: StoreError.self) { try await ClaimStore.openForReading(at: place.path(name)) }
      #expect(reading?.description == error?.description)
    }

    @Test func `a file that is no store is left as it is`() async throws {
      let place = try TemporaryDirectory()
      let text = Data("Remember the milk.\n".utf8)
      try text.write(to: URL(filePath: place.path("notes")))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: place.path("notes"))
      await #expect(throws: StoreError.self) { try await ClaimStore.open(at: place.path("notes")) }
      await #expect(throws: StoreError.self) { try await ClaimStore.openForReading(at: place.path("notes")) }
      #expect(try Data(contentsOf: URL(filePath: place.path("notes"))) == text)
      #expect(try place.mode("notes") == 0o644)
    }
  }
}

/// What is in a database's file after each of its commits.
private final class Copies: TransactionObserver {
  private(set) var left: [Data] = []
  private let path: String

  init(of path: String) { self.path = path }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ database: Database) {
    if let file = FileManager.default.contents(atPath: path) { left.append(file) }
  }
  func databaseDidRollback(_ database: Database) {}
}
