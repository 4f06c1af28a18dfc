import BumpChannel
import BumpClaims
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
      #expect(try await store.key(of: name)?.exposed == key(1).exposed)
    }

    @Test func `a name that was forgotten takes another key`() async throws {
      let store = try ClaimStore.inMemory()
      let name = try DisplayName("bob")
      _ = try await store.remember(key(1), as: name, at: 1)
      #expect(try await store.forget(name) == .forgotten)
      #expect(try await store.key(of: name) == nil)
      #expect(try await store.rememberedNames().isEmpty)
      #expect(try await store.remember(key(2), as: name, at: 2) == .kept)
      #expect(try await store.key(of: name)?.exposed == key(2).exposed)
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
  }
}
