import BumpVault
import BumpVaultSQLite
import BumpWallet
import Foundation
import Samples
import Testing
import VaultContract

/// Two files with one key would be two vaults that answer for the same claims.
@Suite struct CopyTests {
  private func copy(_ place: TemporaryDirectory) throws {
    try FileManager.default.copyItem(atPath: place.path(), toPath: place.path("copy.sqlite"))
    #expect(chmod(place.path("copy.sqlite"), 0o600) == 0)
  }

  private func scene(_ place: TemporaryDirectory, _ name: String, _ provenance: VaultProvenance) async throws -> Scene {
    try await Scene(StoreMaker { _, _ in try await place.open(name, provenance) })
  }

  @Test func `a copy is not opened until its owner says what it is`() async throws {
    let place = try TemporaryDirectory()
    _ = try await place.open()
    try copy(place)
    let before = try Data(contentsOf: URL(filePath: place.path("copy.sqlite")))
    await #expect(throws: VaultStoreError(.copied, "")) { try await place.open("copy.sqlite") }
    #expect(try Data(contentsOf: URL(filePath: place.path("copy.sqlite"))) == before)
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
    let before = try Data(contentsOf: URL(filePath: place.path("copy.sqlite")))
    let vault = try await Vault(SQLiteVaultStore.openForReading(at: place.path("copy.sqlite")))
    #expect(try await vault.audit().findings == [])
    #expect(vault.rules.identity == scene.identity)
    #expect(try Data(contentsOf: URL(filePath: place.path("copy.sqlite"))) == before)
    await #expect(throws: VaultStoreError(.copied, "")) { try await place.open("copy.sqlite") }
  }

  @Test func `a backup in the place of the store is a copy`() async throws {
    let place = try TemporaryDirectory()
    _ = try await place.open()
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
      backup = try Data(contentsOf: URL(filePath: place.path()))
      try await scene.store.seal(limit: 1)
      identity = scene.identity
    }
    #expect(try await place.open().identity() == identity)
    try backup.write(to: URL(filePath: place.path()))
    guard provenance == .copied else {
      await #expect(throws: VaultStoreError(.outdated, "")) { try await place.open("vault.sqlite", provenance) }
      #expect(try Data(contentsOf: URL(filePath: place.path())) == backup)
      return
    }
    let copy = try await place.open("vault.sqlite", .copied)
    #expect(try await copy.identity().address != identity.address)
    // The mark is the first vault's: it says nothing of this one, until this one seals.
    #expect(try await place.open().identity() == copy.identity())
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
    let identity = try await place.open().identity()
    try FileManager.default.moveItem(atPath: place.path(), toPath: place.path("renamed.sqlite"))
    #expect(try await place.open("renamed.sqlite").identity() == identity)
    try FileManager.default.moveItem(atPath: place.path("renamed.sqlite"), toPath: place.path())
    try copy(place)
    #expect(try await place.open("copy.sqlite", .moved).identity() == identity)
    #expect(try await place.open("copy.sqlite").identity() == identity)
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
    #expect(try Data(contentsOf: URL(filePath: place.path("copy.sqlite"))).firstRange(of: key) == nil)
    #expect(try Data(contentsOf: URL(filePath: place.path())).firstRange(of: key) != nil)
  }
}
