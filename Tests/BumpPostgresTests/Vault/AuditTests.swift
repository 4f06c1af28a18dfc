import BumpVault
import BumpVaultPostgres
import Lab
import Testing
import VaultContract

extension PostgresTests.Vault {
  /// The audit beside servers that go on.
  @Suite struct AuditTests {
    @Test func `an audit reads one moment, and servers that pay meanwhile wait for nothing`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        try await scene.payOneOfTwo()
        try await scene.store.seal(limit: 3)
        let reading = try await PostgresVaultStore.openForReading(database.configuration)
        let report = try await reading.auditing { source in
          let before = try await source.snapshot()
          // These would wait for ever for an audit that holds locks.
          try await scene.take(scene.claim(1), for: Person(2))
          try await scene.lock(scene.claim(3), from: Person(1))
          while try await scene.store.seal(limit: 1) != nil {}
          #expect(try await source.snapshot() == before)
          #expect(try await source.batch(2) == nil, "a batch of later")
          var audit = Audit(vaults: before.vaults)
          audit.take(try #require(try await source.batch(1)))
          return audit.finish(before)
        }
        #expect(report.findings == [] && report.batches == 1)
        await reading.close()
        try await scene.expectSound(minted: 9_000_000)
      }
    }

    @Test func `while claims are paid and sealed no audit finds anything`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker(), limits: VaultLimits(pending: 100))
        try await scene.mint(100_000_000, to: Person(1))
        let reading = try await PostgresVaultStore.openForReading(database.configuration)
        let auditor = try await BumpVault.Vault(reading)
        let isPaying = Shared(true)
        try await withThrowingTaskGroup { group in
          group.addTask {
            defer { isPaying.change { $0 = false } }
            for number in 1...8 as ClosedRange<UInt64> {
              try await scene.lock(scene.claim(number), from: Person(1))
              try await scene.take(scene.claim(number), for: Person(2))
            }
          }
          group.addTask { while isPaying.value { _ = try await scene.store.seal(limit: 3) } }
          group.addTask {
            while isPaying.value {
              let findings = try await auditor.audit().findings
              #expect(findings == [])
            }
          }
          try await group.waitForAll()
        }
        await reading.close()
        try await scene.expectSound(minted: 100_000_000)
      }
    }

    @Test func `an audit of a copy changes nothing, and the copy is still opened by its owner's word alone`()
      async throws
    {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        try await scene.payOneOfTwo()
        try await VaultDatabase.with(database.cluster, copying: database) { copy in
          let reading = try await PostgresVaultStore.openForReading(copy.configuration)
          let vault = try await BumpVault.Vault(reading)
          #expect(try await vault.audit().findings == [])
          #expect(vault.rules.identity == scene.identity)
          await #expect(throws: VaultStoreError.self) { try await vault.refund(scene.claim(1).id) }
          await reading.close()
          await #expect(throws: VaultStoreError(.copied, "")) { try await copy.open(size: 1) }
        }
        await #expect(throws: VaultStoreError(.unusable, "")) {
          try await VaultDatabase.with { empty in
            _ = try await PostgresVaultStore.openForReading(empty.configuration)
          }
        }
      }
    }
  }
}
