import Testing

@testable import BumpVaultPostgres

extension PostgresTests.Vault {
  @Test func `requests of an address go into one bucket, whichever store counts them`() async throws {
    try await VaultDatabase.with { database in
      let (one, other) = (try await database.open(), try await database.open())
      func take(
        _ store: PostgresVaultStore, _ most: Int64, from bucket: UInt8 = 1
      ) async throws -> (count: Int64, level: Int64) {
        // Three a minute: the test is done long before one has leaked out.
        try await store.takeRequests(from: [bucket], most: most, step: 20_000_000)
      }
      let first = try await take(one, 1)
      #expect(first.count == 1 && first.level == 20_000_000)
      let second = try await take(other, 1)
      #expect(second.count == 1 && (20_000_000...40_000_000).contains(second.level))
      try await one.removeRequests()
      // As much as there is room for.
      #expect(try await take(one, 5).count == 1)
      let full = try await take(other, 5)
      #expect(full.count == 0 && (40_000_000...60_000_000).contains(full.level))
      #expect(try await take(other, 5, from: 2).count == 3)
      // The clock was set back.
      try await database.tamper("UPDATE bump_vault.requests SET empties = empties + 86400000000")
      #expect(try await take(one, 2).count == 2)
      try await other.removeRequests()
      #expect(try await take(one, 2).count == 1)
      #expect(try await take(one, 3, from: 2).count == 3)
    }
  }
}
