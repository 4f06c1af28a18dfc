import BumpClaims
import BumpSystem
import BumpWire
import Foundation
import GRDB
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  @Suite struct Durability {
    /// A setting of SQLite, as the connection that writes has it.
    @Test(arguments: [
      ("synchronous", "2"), ("journal_mode", "persist"), ("secure_delete", "1"), ("busy_timeout", "5000"),
      ("trusted_schema", "0"), ("locking_mode", "normal"),
    ])
    func `a write is on the disk when its call returns, and what is deleted is wiped`(pragma: String, value: String)
      async throws
    {
      let place = try TemporaryDirectory()
      let store = try await ClaimStore.open(at: place.store)
      #expect(try await store.write { try String.fetchOne($0, sql: "PRAGMA \(pragma)") } == value)
    }

    @Test func `a journal that is left holds nothing to roll back, and no key that was forgotten`() async throws {
      let place = try TemporaryDirectory()
      let store = try await ClaimStore.open(at: place.store)
      let key = try #require(SharedKey([UInt8](repeating: 0x5A, count: SharedKey.length)))
      let bob = try DisplayName("bob")
      #expect(try await store.remember(key, as: bob, at: 1) == .kept)
      // The page with the key is what the next change of it leaves in the journal.
      #expect(try await store.remember(key, as: DisplayName("carol"), at: 1) == .kept)
      #expect(try await store.forget(bob) == .forgotten)
      #expect(try await store.forget(DisplayName("carol")) == .forgotten)
      // Now, and not only once another write goes over it.
      let names = try FileManager.default.contentsOfDirectory(atPath: place.path("."))
      for name in names where name.hasPrefix("bump.sqlite") {
        let bytes = try Data(contentsOf: URL(filePath: place.path(name)))
        #expect(bytes.firstRange(of: Data(repeating: 0x5A, count: 32)) == nil, "\(name)")
      }
      _ = try await create(store)
      let journal = try Data(contentsOf: URL(filePath: place.path("bump.sqlite-journal")))
      #expect(journal.prefix(28).allSatisfy { $0 == 0 }, "SQLite's journal header, zeroed by the commit")
      #expect(try place.mode("bump.sqlite-journal") == 0o600)
    }

    @Test(arguments: ["WAL", "DELETE", "TRUNCATE", "MEMORY", "OFF"])
    func `a store that was left with another journal has one that lasts again`(mode: String) async throws {
      let place = try TemporaryDirectory()
      let claim = try await create(ClaimStore.open(at: place.store)).claim
      try place.tamperWithStore("PRAGMA journal_mode = \(mode); UPDATE outgoing SET createdAt = 7")
      #expect(try await ClaimStore.openForReading(at: place.store)?.outgoing(claim.id)?.createdAt == 7)
      let store = try await ClaimStore.open(at: place.store)
      #expect(try await store.write { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "persist")
      #expect(try await store.outgoing(claim.id)?.createdAt == 7)
    }

    /// ext4 and xfs sync a new file's directories with it, and no test of theirs can miss what is asked of others.
    @Test func `the directories that are synced are all those above the store, where it really lies`() throws {
      let place = try TemporaryDirectory()
      try FileManager.default.createDirectory(atPath: place.path("far/below"), withIntermediateDirectories: true)
      try place.write(Data(), to: "far/below/bump.sqlite")
      try FileManager.default.createSymbolicLink(atPath: place.path("near"), withDestinationPath: "far/below")
      let directories = try #require(Directories.all(above: place.path("near/bump.sqlite")))
      let real = URL(filePath: place.directory).resolvingSymlinksInPath().path
      #expect(directories.starts(with: ["\(real)/far/below", "\(real)/far", real]))
      #expect(directories.last == "/" && directories.count == real.split(separator: "/").count + 3)
      #expect(Directories.all(above: place.path("nowhere")) == nil)
      #expect(Directories.syncAll(above: place.path("near/bump.sqlite")))
    }

    @Test func `what was written is there for the next that opens`() async throws {
      let place = try TemporaryDirectory()
      let outgoing = try await create(ClaimStore.open(at: place.store))
      let incoming = try claim()
      _ = try await ClaimStore.open(at: place.store).store(received(incoming), at: 5)
      #expect(try await release(outgoing.claim.id, in: ClaimStore.open(at: place.store), at: 100))

      let store = try #require(try await ClaimStore.openForReading(at: place.store))
      #expect(try await store.outgoing(outgoing.claim.id, at: 100)?.state == .released)
      #expect(try await store.outgoing(outgoing.claim.id)?.claim == outgoing.claim)
      #expect(try await store.incoming(incoming.id).map(\.claim) == [incoming])
    }

    @Test func `a write of a task that is cancelled ends all the same`() async throws {
      let store = try ClaimStore.inMemory()
      let claim = try claim()
      let id = try await create(store).claim.id
      let verified = try received(claim)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        #expect(Task.isCancelled)
        let status = try await store.store(verified, at: 5)
        let isReleased = try await release(id, in: store)
        try await store.record(.unknown, of: id)
        return (status, isReleased)
      }
      let (status, isReleased) = try await task.value
      #expect(status == .stored && isReleased)
      #expect(try await store.incoming(claim.id).map(\.claim) == [claim])
      #expect(try await store.outgoing(id)?.state == .unknown)
    }

    @Test func `a store that is opened for reading is not written`() async throws {
      let place = try TemporaryDirectory()
      let claim = try await create(ClaimStore.open(at: place.store)).claim
      let store = try #require(try await ClaimStore.openForReading(at: place.store))
      let error = await #expect(throws: StoreError.self) { try await release(claim.id, in: store) }
      #expect(error?.code == .failed)
      #expect(try await store.outgoing(claim.id)?.state == .new)
    }
  }
}
