import BumpChannel
import BumpWire
import Testing

@testable import BumpKit

extension StoreTests {
  @Suite struct Keys {
    private func key(_ byte: UInt8) throws -> SharedKey {
      try #require(SharedKey([UInt8](repeating: byte, count: SharedKey.length)))
    }

    @Test func `a name that has a key keeps that one, whoever comes with another`() async throws {
      let store = try ClaimStore.inMemory()
      let name = try DisplayName("bob")
      #expect(try await store.remember(key(1), as: name, at: 1))
      #expect(try await !store.remember(key(2), as: name, at: 2))
      #expect(try await store.key(of: name)?.exposed == key(1).exposed)
    }

    @Test func `a name that was forgotten takes another key`() async throws {
      let store = try ClaimStore.inMemory()
      let name = try DisplayName("bob")
      _ = try await store.remember(key(1), as: name, at: 1)
      #expect(try await store.forget(name))
      #expect(try await store.key(of: name) == nil)
      #expect(try await store.rememberedNames().isEmpty)
      #expect(try await store.remember(key(2), as: name, at: 2))
      #expect(try await store.key(of: name)?.exposed == key(2).exposed)
      #expect(try await store.rememberedNames() == [name])
    }
  }
}
