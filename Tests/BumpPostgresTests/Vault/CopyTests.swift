import BumpVault
import BumpVaultPostgres
import BumpWallet
import Lab
import Testing
import VaultContract

@testable import BumpPostgres

extension PostgresTests.Vault {
  /// Two databases with one key would be two vaults that answer for the same claims.
  @Suite struct CopyTests {
    /// A copy within the same server, which differs in its number alone.
    private func withCopy(
      _ database: VaultDatabase, _ body: @Sendable (VaultDatabase) async throws -> Void
    ) async throws {
      try await VaultDatabase.with(database.cluster, copying: database, body)
    }

    @Test func `a copy is not opened until its owner says what it is`() async throws {
      try await VaultDatabase.with { database in
        let identity = try await database.open(size: 1).identity()
        try await withCopy(database) { copy in
          for _ in 0..<2 {
            await #expect(throws: VaultStoreError(.copied, "")) { try await copy.open(size: 1) }
          }
          for provenance in [VaultProvenance.moved, .original] {
            let same = try await copy.open(provenance, size: 1).identity()
            #expect(same == identity)
          }
        }
        // The first one goes on.
        _ = try await database.open(size: 1)
      }
    }

    @Test func `a copy is another vault, at which nothing counts that was signed for the first`() async throws {
      try await VaultDatabase.with { database in
        let first = try await Scene(database.maker())
        try await first.payOneOfTwo()
        try await first.store.seal(limit: 3)
        try await withCopy(database) { copy in
          let store = try await copy.open(.copied, clock: { [clock = first.clock] in clock.now })
          let second = try await BumpVault.Vault(store)
          // From now on it is where it was made.
          let again = try await copy.open(size: 1).identity()
          #expect(again == second.rules.identity)
          // And nowhere else: where the first one was made it is not at home.
          let places = try await copy.pool.run(
            PostgresStatement("places", sql: "SELECT database FROM bump_vault.place"))
          #expect(places.count == 1)
          try await first.expectAnother(second)
          // It has nothing left to sign with as the first vault.
          let keys = try await copy.pool.run(PostgresStatement("keys", sql: "SELECT key FROM bump_vault.vaults"))
            .compactMap { try $0.decodeIfPresent("key", as: [UInt8].self) }
          #expect(keys == [second.rules.identity.key.exposed])
        }
        try await first.expectSound(minted: 9_000_000)
      }
    }

    @Test(arguments: [
      "UPDATE bump_vault.vaults SET address = '\\x7777777777777777777777777777777777777777'",
      "UPDATE bump_vault.vaults SET key = decode(lpad('07', 64, '0'), 'hex')",
      "UPDATE bump_vault.vaults SET key = NULL",
    ])
    func `a store whose key is not its address's is damaged when it is opened`(sql: String) async throws {
      try await VaultDatabase.with { database in
        _ = try await database.open(size: 1)
        try await database.tamper(sql)
        await #expect(throws: VaultStoreError(.damaged, "")) { try await BumpVault.Vault(database.open(size: 1)) }
      }
    }

    @Test(arguments: ["system", "database", "relation", "timeline"])
    func `a store is known by each of the numbers of its place`(column: String) async throws {
      try await VaultDatabase.with { database in
        _ = try await database.open(size: 1)
        try await database.tamper(
          "UPDATE bump_vault.place SET \(column) = \(column == "timeline" ? "'00000002'" : "1")")
        await #expect(throws: VaultStoreError(.copied, "")) { try await database.open(size: 1) }
      }
    }

    /// Tables that were dropped and restored have other numbers.
    @Test func `a process goes no further once its database is another's, or has a new key`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        try await scene.payOneOfTwo()
        let claim = try scene.claim(1)
        let change = try await scene.decidedClaim(claim, for: Person(2))
        try await database.tamper("UPDATE bump_vault.place SET relation = relation + 1")
        let copied = VaultStoreError(.copied, "")
        await #expect(throws: copied) { try await scene.vault.view(.claimID(claim.id)) }
        await #expect(throws: copied) { try await scene.store.commit(change) }
        await #expect(throws: copied) { try await scene.store.seal(limit: 1) }
        await #expect(throws: copied) { try await scene.mint(1, to: Person(1)) }
        await #expect(throws: copied) { try await scene.store.removeDrafts(lifetime: 1) }
      }
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        try await scene.payOneOfTwo()
        _ = try await database.open(.copied, size: 1)
        await #expect(throws: VaultStoreError(.copied, "")) { try await scene.vault.view(.claimID(scene.claim(1).id)) }
      }
    }

    /// As a backup that was recovered, and as a standby that was promoted: the server begins another timeline.
    @Test func `a recovered backup is a copy, for a process that comes back to it too`() async throws {
      try await PostgresCluster.with { cluster in
        try await VaultDatabase.with(cluster) { database in
          let scene = try await Scene(database.maker())
          try await scene.payOneOfTwo()
          let change = try await scene.decidedClaim(scene.claim(1), for: Person(2))
          try await cluster.stop()
          try await cluster.inside(
            "touch \(cluster.data)/recovery.signal; echo \"restore_command = 'false'\" >>\(cluster.data)/postgresql.conf"
          )
          try await cluster.startAgain()
          let copied = VaultStoreError(.copied, "")
          await #expect(throws: copied) { try await scene.store.commit(change) }
          await #expect(throws: copied) { try await database.open(size: 1) }
          let again = try await database.open(.moved, clock: { [clock = scene.clock] in clock.now })
          _ = try #require(try await again.commit(change))
          try await scene.expectSound(minted: 9_000_000)
        }
      }
    }
  }
}
