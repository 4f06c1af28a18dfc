import BumpVault
import BumpVaultSQLite
import BumpWallet
import Foundation
import Samples
import Testing
import VaultContract

/// Two files with one key would be two vaults that answer for the same claims.
@Suite struct CopyTests {
  /// Copies a store that nobody writes to, with its log, if it has one.
  private func copy(_ place: TemporaryDirectory) throws {
    for suffix in ["", "-wal"] where place.exists("vault.sqlite" + suffix) {
      let name = "copy.sqlite" + suffix
      try FileManager.default.copyItem(atPath: place.path("vault.sqlite" + suffix), toPath: place.path(name))
      #expect(chmod(place.path(name), 0o600) == 0)
    }
  }

  private func scene(_ place: TemporaryDirectory, _ name: String, _ provenance: VaultProvenance) async throws -> Scene {
    try await Scene(StoreMaker { _, _ in try await place.open(name, provenance) })
  }

  @Test func `a copy is not opened until its owner says what it is`() async throws {
    let place = try TemporaryDirectory()
    try await place.make()
    try copy(place)
    let before = try place.bytes("copy.sqlite")
    await #expect(throws: VaultStoreError(.copied, "")) { try await place.open("copy.sqlite") }
    #expect(try place.bytes("copy.sqlite") == before)
    // The first one goes on.
    _ = try await place.open()
  }

  @Test func `an audit of a copy changes nothing, and the copy is still opened by its owner's word alone`() async throws
  {
    let place = try TemporaryDirectory()
    let scene = try await scene(place, "vault.sqlite", .original)
    try await scene.payOneOfTwo()
    try await scene.store.seal(limit: 2)
    try copy(place)
    let (before, log) = (try place.bytes("copy.sqlite"), try place.bytes("copy.sqlite-wal"))
    #expect(!log.isEmpty)
    let vault = try await Vault(SQLiteVaultStore.openForReading(at: place.path("copy.sqlite")))
    #expect(try await vault.audit().findings == [])
    #expect(vault.rules.identity == scene.identity)
    #expect(try place.bytes("copy.sqlite") == before && place.bytes("copy.sqlite-wal") == log)
    await #expect(throws: VaultStoreError(.copied, "")) { try await place.open("copy.sqlite") }
  }

  @Test func `a backup in the place of the store is a copy`() async throws {
    let place = try TemporaryDirectory()
    try await place.make()
    try copy(place)
    try FileManager.default.removeItem(atPath: place.path())
    try FileManager.default.copyItem(atPath: place.path("copy.sqlite"), toPath: place.path())
    await #expect(throws: VaultStoreError(.copied, "")) { try await place.open() }
  }

  /// It is the same inode.
  @Test(arguments: [VaultProvenance.original, .moved, .copied])
  func `a backup that was written over the store is a copy, and nothing else`(provenance: VaultProvenance) async throws
  {
    let place = try TemporaryDirectory()
    let identity: VaultIdentity
    let backup: Data
    do {
      let scene = try await scene(place, "vault.sqlite", .original)
      try await scene.payOneOfTwo()
      try await scene.store.seal(limit: 2)
      await scene.close()
      backup = try place.bytes()
      let store = try await place.open()
      try await store.seal(limit: 1)
      await store.close()
      identity = scene.identity
    }
    #expect(try await place.identity() == identity)
    try backup.write(to: URL(filePath: place.path()))
    guard provenance == .copied else {
      await #expect(throws: VaultStoreError(.outdated, "")) { try await place.open("vault.sqlite", provenance) }
      #expect(try place.bytes() == backup)
      return
    }
    let copy = try await place.identity("vault.sqlite", .copied)
    #expect(copy.address != identity.address)
    // The mark is the first vault's: it says nothing of this one, until this one seals.
    #expect(try await place.identity() == copy)
  }

  /// SQLite would read the backup together with that log, in which is the batch that the mark names.
  @Test func `a backup that was written over the store of a killed server is not read together with its log`()
    async throws
  {
    let place = try TemporaryDirectory()
    let scene = try await scene(place, "vault.sqlite", .original)
    try await scene.payOneOfTwo()
    try await scene.store.seal(limit: 4)
    try await scene.store.keepTime()
    let backup = try place.bytes()
    try await scene.mint(1_000_000, to: Person(1))
    try await scene.store.keepTime()
    try await scene.mint(1_000_000, to: Person(1))
    try await scene.store.seal(limit: 4)
    let (file, log) = (try place.bytes(), try place.bytes("vault.sqlite-wal"))
    await scene.close()
    /// Leaves a file with the log of the killed server.
    func leave(_ file: Data) throws {
      try file.write(to: URL(filePath: place.path()))
      try log.write(to: URL(filePath: place.path("vault.sqlite-wal")))
      #expect(chmod(place.path("vault.sqlite-wal"), 0o600) == 0)
    }

    try leave(backup)
    for provenance in [VaultProvenance.original, .moved] {
      await #expect(throws: VaultStoreError(.outdated, "")) { try await place.open("vault.sqlite", provenance) }
    }
    let refused = await #expect(throws: VaultStoreError.self) { try await place.open("vault.sqlite", .copied) }
    #expect(refused?.code == .unusable && refused?.remedy?.contains("vault.sqlite-wal") == true)
    // The server's own file and its log are the whole store.
    try FileManager.default.removeItem(atPath: place.path("vault.sqlite-shm"))
    try leave(file)
    let store = try await place.open()
    #expect(try await Vault(store).audit().findings == [])
    let entries = try await store.history(of: Person(1).address, before: nil, limit: 10)
    #expect(entries.count { $0.entry.kind == .mint } == 3)
    #expect(try await store.seal(limit: 1) == nil)
  }

  @Test func `of two processes that seal, the slower one puts no older mark in place of a newer one`() async throws {
    let place = try TemporaryDirectory()
    let scene = try await scene(place, "vault.sqlite", .original)
    let stores = [scene.store, try await place.open()]
    for number in 1...40 as ClosedRange<UInt64> { try await scene.mint(1, to: Person(1), id: number) }
    try await withThrowingDiscardingTaskGroup { group in
      for store in stores { group.addTask { for _ in 0..<20 { try await store.seal(limit: 1) } } }
    }
    let mark = try String(contentsOfFile: place.path("vault.sqlite-mark"), encoding: .utf8)
    let last = try #require(try await scene.store.batch(40))
    #expect(mark == "\(scene.identity.address) 40 \(last.batch.hash)\n")
  }

  @Test(arguments: ["", "a word", "0x00 1 0x00\n"])
  func `a store whose mark is damaged is not opened`(text: String) async throws {
    let place = try TemporaryDirectory()
    _ = try await place.open()
    #expect(FileManager.default.createFile(atPath: place.path("vault.sqlite-mark"), contents: Data(text.utf8)))
    #expect(chmod(place.path("vault.sqlite-mark"), 0o600) == 0)
    await #expect(throws: VaultStoreError(.unusable, "")) { try await place.open() }
  }

  @Test(arguments: [
    "UPDATE vaults SET address = randomblob(20)", "UPDATE vaults SET key = randomblob(32)",
    "UPDATE vaults SET key = zeroblob(32)", "UPDATE vaults SET key = NULL",
  ])
  func `a store whose key is not its address's is damaged when it is opened`(sql: String) async throws {
    let place = try TemporaryDirectory()
    _ = try await Vault(place.open())
    #expect(try place.tamper(sql) == 1)
    await #expect(throws: VaultStoreError(.damaged, "")) { try await Vault(place.open()) }
  }

  @Test func `a store that is renamed is where it was, and one that was moved stays what it is`() async throws {
    let place = try TemporaryDirectory()
    let identity = try await place.identity()
    try FileManager.default.moveItem(atPath: place.path(), toPath: place.path("renamed.sqlite"))
    #expect(try await place.identity("renamed.sqlite") == identity)
    try FileManager.default.moveItem(atPath: place.path("renamed.sqlite"), toPath: place.path())
    try copy(place)
    #expect(try await place.identity("copy.sqlite", .moved) == identity)
    #expect(try await place.identity("copy.sqlite") == identity)
  }

  @Test func `a copy is another vault, at which nothing counts that was signed for the first`() async throws {
    let place = try TemporaryDirectory()
    let first = try await scene(place, "vault.sqlite", .original)
    try await first.payOneOfTwo()
    try await first.store.seal(limit: 3)
    try copy(place)
    let store = try await place.open("copy.sqlite", .copied)
    let second = try await Vault(store)
    #expect(try await store.identity().vault.vault.tokens == first.identity.vault.vault.tokens)
    // From now on it is where it was made.
    #expect(try await place.open("copy.sqlite").identity() == store.identity())
    try await first.expectAnother(second)
    try await first.expectSound(minted: 9_000_000)
    // The copy has nothing left to sign with as the first vault.
    let key = Data(first.identity.key.exposed)
    for name in ["copy.sqlite", "copy.sqlite-wal"] { #expect(try place.bytes(name).firstRange(of: key) == nil) }
    #expect(try place.bytes().firstRange(of: key) != nil)
    await store.close()
  }
}
