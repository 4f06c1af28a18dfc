import BumpPostgres
import BumpVault
import BumpWallet
import Lab
import Testing
import VaultContract

extension PostgresTests.Vault {
  /// The journal on a small disk, which something else fills.
  @Suite struct FullDiskTests {
    @Test func `on a full disk nobody is paid halfway, and once there is room everybody is paid once`() async throws {
      try await PostgresCluster.with { cluster in
        try await cluster.inside(
          "mkdir /run/small; mount -t tmpfs -o size=1m tmpfs /run/small; chown postgres /run/small")
        try await cluster.run("CREATE TABLESPACE small LOCATION '/run/small'")
        try await VaultDatabase.with(cluster) { database in
          let scene = try await Scene(database.maker(), limits: VaultLimits(pending: 1000, depositsPerDay: 1000))
          let (alice, bob) = (try Person(1), try Person(2))
          try await scene.mint(100_000_000, to: alice)
          let claims = try (0..<100).map { try scene.claim($0) }
          for claim in claims { try await scene.lock(claim, from: alice) }
          try await database.tamper(
            """
            ALTER TABLE bump_vault.journal SET TABLESPACE small;
            CREATE TABLE filler (a text) TABLESPACE small;
            ALTER TABLE filler ALTER COLUMN a SET STORAGE PLAIN;
            """)
          let full = await #expect(throws: PostgresError.self) {
            while true { try await database.tamper("INSERT INTO filler SELECT repeat('x', 4000)") }
          }
          #expect(full?.sqlState == .diskFull)

          // All at once, so that they share transactions. What is left of the journal's last page is enough for few.
          let first = try await take(claims, for: bob, scene)
          #expect(first.contains { $0 == nil })
          #expect(try await scene.balance(bob) == Int64(first.count { $0 != nil }) * 1_000_000)
          try await scene.expectSound(minted: 100_000_000)

          try await database.tamper("DROP TABLE filler")
          try await database.tamper("CHECKPOINT")
          let last = try await take(claims, for: bob, scene)
          for (before, after) in zip(first, last) {
            let receipt = try #require(after)
            #expect(before == nil || before == receipt)
          }
          #expect(try await scene.balance(bob) == 100_000_000)
          try await scene.expectSound(minted: 100_000_000)
        }
      }
    }

    /// The receipts of claims, in their order; `nil` where the store failed.
    private func take(_ claims: [MadeClaim], for receiver: Person, _ scene: Scene) async throws -> [SignedReceipt?] {
      try await withThrowingTaskGroup(of: (Int, SignedReceipt?).self) { group in
        for (index, claim) in claims.enumerated() {
          group.addTask {
            do {
              return (index, try await scene.take(claim, for: receiver))
            } catch let error as VaultStoreError {
              #expect(error.code == .failed, "\(error)")
              return (index, nil)
            }
          }
        }
        return try await group.reduce(into: Array(repeating: nil, count: claims.count)) { $0[$1.0] = $1.1 }
      }
    }
  }
}
