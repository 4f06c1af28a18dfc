import BumpClaims
import BumpText
import BumpWire
import GRDB
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  @Suite struct Keys {
    private func key(_ byte: UInt8) throws -> SharedKey {
      try #require(SharedKey([UInt8](repeating: byte, count: SharedKey.length)))
    }

    @Test func `a name that has a key keeps that one, whoever comes with another`() async throws {
      let store = try ClaimStore.inMemory()
      let name = try DisplayName("bob")
      #expect(try await store.remember(key(1), as: name, at: 1) == .kept)
      #expect(try await store.remember(key(2), as: name, at: 2) == .nameTaken)
      #expect(try await store.agreedKey(of: name)?.exposed == key(1).exposed)
    }

    @Test func `a name that was forgotten takes another key`() async throws {
      let store = try ClaimStore.inMemory()
      let name = try DisplayName("bob")
      _ = try await store.remember(key(1), as: name, at: 1)
      #expect(try await store.forget(name) == .forgotten)
      #expect(try await store.agreedKey(of: name) == nil)
      #expect(try await store.rememberedNames().isEmpty)
      #expect(try await store.remember(key(2), as: name, at: 2) == .kept)
      #expect(try await store.agreedKey(of: name)?.exposed == key(2).exposed)
      #expect(try await store.rememberedNames() == [name])
    }

    @Test func `a claim and the key of its sender are kept in one transaction`() async throws {
      let store = try ClaimStore.inMemory()
      let (alice, first) = (try DisplayName("alice"), try received(StoreTests.claim()))
      let both = try await store.store(first, remembering: key(1), as: alice, at: 1)
      #expect(both.claim == .stored && both.key == .kept)
      #expect(try await store.isConfirmed(alice) == true)
      let taken = try await store.store(
        received(StoreTests.claim(id: "another")), remembering: key(2), as: alice, at: 1)
      #expect(taken.claim == .stored && taken.key == .nameTaken, "a name that is taken keeps no claim out")

      try await store.write { try $0.execute(sql: "DROP TABLE keys") }
      let third = try StoreTests.claim(id: "third")
      await #expect(throws: StoreError.self) {
        try await store.store(received(third), remembering: key(3), as: alice, at: 1)
      }
      #expect(try await store.incoming(third.id).isEmpty, "neither, where the key cannot be kept")
    }

    @Test func `a key is confirmed, or forgotten, only where it is that key`() async throws {
      let store = try ClaimStore.inMemory()
      let name = try DisplayName("bob")
      #expect(try await store.isConfirmed(name) == nil)
      #expect(try await store.remember(key(1), as: name, isConfirmed: false, at: 1) == .kept)
      try await store.confirm(key(2), of: name)
      #expect(try await store.isConfirmed(name) == false)
      #expect(try await store.forget(name, key: key(2)) == .missing)
      try await store.confirm(key(1), of: name)
      #expect(try await store.isConfirmed(name) == true)
      #expect(try await store.forget(name, key: key(1)) == .forgotten)
      #expect(try await store.isConfirmed(name) == nil)
    }

    @Test func `each direction has its own key, and both ends have the same two`() async throws {
      let (aliceStore, bobStore) = (try ClaimStore.inMemory(), try ClaimStore.inMemory())
      let (alice, bob) = (try DisplayName("alice"), try DisplayName("bob"))
      _ = try await aliceStore.remember(key(1), as: bob, agreedOnWith: .outgoing, at: 1)
      _ = try await bobStore.store(received(StoreTests.claim()), remembering: key(1), as: alice, at: 1)
      // Computed with hmac and hashlib of Python.
      let forth = "77d40fb393853ffcd5ce8c25d2a1aba731deb0aa845ed2ddf4a1ca36271d490d"
      let back = "680d9d886c3e874f6e70760627191cb723c20897e8b2f277457f54dbe2281259"
      for (store, name, outgoing, incoming) in [(aliceStore, bob, forth, back), (bobStore, alice, back, forth)] {
        #expect(try await store.key(of: name, for: .outgoing).map { Hex.text($0.exposed) } == outgoing)
        #expect(try await store.key(of: name, for: .incoming).map { Hex.text($0.exposed) } == incoming)
      }
    }

    @Test(arguments: [ClaimStore.Direction.outgoing, .incoming])
    func `a claim under the key of a direction confirms the key that was agreed on`(
      direction: ClaimStore.Direction
    ) async throws {
      let store = try ClaimStore.inMemory()
      let name = try DisplayName("bob")
      _ = try await store.remember(key(1), as: name, agreedOnWith: .outgoing, isConfirmed: false, at: 1)
      try await store.confirm(#require(await store.key(of: name, for: direction)), of: name)
      #expect(try await store.isConfirmed(name) == true)
    }

    @Test
    func `the keys for claims from remembered ends have their names, the newest first, and no more than asked for`()
      async throws
    {
      let store = try ClaimStore.inMemory()
      _ = try await store.remember(key(1), as: DisplayName("bob"), agreedOnWith: .outgoing, at: 1)
      _ = try await store.remember(key(2), as: DisplayName("carol"), at: 2)
      let all = try await store.rememberedSenders(limit: 9)
      #expect(all.map(\.name.text) == ["carol", "bob"])
      #expect(try all.map(\.key)[0] == key(2))
      #expect(try await store.key(of: DisplayName("bob"), for: .incoming) == all.map(\.key)[1])
      #expect(try await store.rememberedSenders(limit: 1).map(\.name.text) == ["carol"])
    }

    @Test func `a key that two ends have from elsewhere serves both directions`() async throws {
      let store = try ClaimStore.inMemory()
      let name = try DisplayName("bob")
      _ = try await store.remember(key(1), as: name, at: 1)
      #expect(try await store.key(of: name, for: .outgoing) == key(1))
      #expect(try await store.key(of: name, for: .incoming) == key(1))
    }
  }
}
