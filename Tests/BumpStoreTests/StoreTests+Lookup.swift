import BumpClaims
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  @Suite struct Lookup {
    /// Ids as a stranger may have chosen them, every character that may be in one among them.
    static let strangers = ["abc", "abcd", "abd", "ab-", "ab_", "ab0", "abz", "abZ", "b", "z", "zz"]

    @Test(arguments: [
      ("ab", ["ab-", "ab0", "abZ", "ab_", "abc", "abcd", "abd", "abz"]), ("abc", ["abc", "abcd"]), ("abd", ["abd"]),
      ("abz", ["abz"]), ("z", ["z", "zz"]), ("B", []), ("abcde", []),
    ])
    func `an id's beginning finds the ids that begin so, in order`(prefix: String, found: [String]) async throws {
      let store = try ClaimStore.inMemory()
      for id in Self.strangers { _ = try await store.store(received(claim(id: id)), at: 1) }
      let ids = try await store.ids(beginningWith: ClaimID(prefix), of: .incoming, limit: 20)
      #expect(ids.map(\.description) == found)
      #expect(try await store.ids(beginningWith: ClaimID(prefix), of: .outgoing, limit: 20) == [])
      #expect(try await store.ids(beginningWith: ClaimID(prefix), of: .incoming, limit: 1).count == min(1, found.count))
    }

    @Test func `two claims of one id are one id`() async throws {
      let store = try ClaimStore.inMemory()
      for secret in UInt8(1)...3 { _ = try await store.store(received(claim(secret: secret)), at: 1) }
      #expect(try await store.ids(beginningWith: ClaimID("str"), of: .incoming, limit: 9).count == 1)
    }

    @Test func `the newest claim of ours is the one that was made last, though the clock was set back`() async throws {
      let store = try ClaimStore.inMemory()
      #expect(try await store.newestOutgoing() == nil)
      for time in [Int64(5), 9, 9, 7] {
        let claim = try await create(store, at: time)
        #expect(try await store.newestOutgoing() == claim)
      }
    }
  }
}
