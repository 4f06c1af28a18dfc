import BumpClaims
import BumpVault
import Lab
import Testing
import VaultContract

@testable import BumpPostgres
@testable import BumpVaultPostgres

extension PostgresTests.Vault {
  @Suite struct WatchTests {
    /// Longer than any test: what comes, comes by a notification.
    private static let never = Duration.seconds(3600)

    /// Waits until ids were told, as many as there are.
    private func wait(for claims: [MadeClaim], in told: Shared<[ClaimID]>) async throws {
      try await waitUntil("\(claims.count) claims") { told.value.count >= claims.count }
      #expect(told.value == claims.map(\.id))
    }

    @Test func `what one process seals another is told of, each claim once and in order`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        let other = try await database.open()
        try await scene.mint(50_000_000, to: Person(1))
        let claims = try (0..<6).map { try scene.claim($0) }
        try await scene.lock(claims[0], from: Person(1))
        try await scene.store.seal(limit: 10)
        let told = Shared<[ClaimID]>([])
        let watcher = Task {
          try await other.watch(every: Self.never) { claims in told.change { $0 += claims } }
        }
        // It listens before anything is sealed, so that only notifications can wake it.
        try await database.finds("LISTEN")
        for claim in claims[1...] {
          try await scene.lock(claim, from: Person(1))
          try await scene.store.seal(limit: 10)
        }
        // Not of what was sealed before it watched, nor of the mint.
        try await wait(for: Array(claims[1...]), in: told)
        watcher.cancel()
        try await watcher.value
      }
    }

    /// NOTIFY holds a lock that exists once in the whole server until its transaction ends.
    @Test func `a notification is a transaction of its own`() async throws {
      let settings = ["fsync": "off", "log_statement": "all", "log_line_prefix": "%v "]
      try await PostgresCluster.with(settings: settings) { cluster in
        try await VaultDatabase.with(cluster) { database in
          let scene = try await Scene(database.maker())
          try await scene.mint(50_000_000, to: Person(1))
          try await scene.lock(scene.claim(0), from: Person(1))
          try await scene.store.seal(limit: 10)
          try await database.tamper("SELECT 1 AS logged_last")
        }
        try await waitUntil("the log") { cluster.log.contains("logged_last") }
        // Each statement begins with the number of its transaction.
        let statements = cluster.log.split(separator: "\n").filter {
          $0.contains(/^[0-9]+\/[0-9]+ LOG:  (execute|statement)/)
        }
        let transactions = Dictionary(grouping: statements) { $0.prefix { $0 != " " } }.values
        let notifying = transactions.filter { $0.contains { $0.contains("pg_notify(") } }
        #expect(!notifying.isEmpty && transactions.contains { $0.contains { $0.contains("COMMIT") } })
        #expect(notifying.allSatisfy { $0.count == 1 }, "\(notifying)")
      }
    }

    @Test func `what was sealed while the connection was lost is told by the cursor`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        let other = try await database.open(clock: { [clock = scene.clock] in clock.now }) {
          $0.applicationName = "watcher"
        }
        try await scene.mint(50_000_000, to: Person(1))
        let claims = try (0..<30).map { try scene.claim($0) }
        let told = Shared<[ClaimID]>([])
        let watcher = Task {
          try await other.watch(after: 0, every: Self.never) { claims in told.change { $0 += claims } }
        }
        let vault = try await BumpVault.Vault(
          scene.store, limits: VaultLimits(pending: 100))
        for (number, claim) in claims.enumerated() {
          if number.isMultiple(of: 5) {
            try await database.pool.run(
              PostgresStatement(
                "end_watchers",
                sql: "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'watcher'")
            )
          }
          _ = try await vault.draft(claim.id, claim.terms)
          _ = try await vault.deposit(claim.id, scene.authorization(of: claim, from: Person(1)))
          try await scene.store.seal(limit: 1)
        }
        while try await scene.store.seal(limit: 1) != nil {}
        try await wait(for: claims, in: told)
        watcher.cancel()
        try await watcher.value
      }
    }

    @Test func `where a notification was lost, the claims are told all the same`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        let store = try await database.open(clock: { [clock = scene.clock] in clock.now })
        try await scene.mint(1_000_000, to: Person(1))
        let (claim, told) = (try scene.claim(1), Shared<[ClaimID]>([]))
        let watcher = Task {
          try await store.watch(every: .milliseconds(50)) { claims in told.change { $0 += claims } }
        }
        try await database.finds("LISTEN")
        try await scene.lock(claim, from: Person(1))
        // Without a word to anybody.
        try await store.pool.transaction { transaction in
          _ = try await VaultTransaction(transaction: transaction, presence: store.presence).seal(limit: 10)
        }
        try await wait(for: [claim], in: told)
        watcher.cancel()
        try await watcher.value
      }
    }

    @Test func `what is committed is sealed soon, and what others have left behind too`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        let other = try await database.open(clock: { [clock = scene.clock] in clock.now })
        let vault = try await BumpVault.Vault(other)
        // Left behind by a process that seals nothing.
        try await scene.mint(3_000_000, to: Person(1))
        let sealer = Task { await other.keepSealing(every: Self.never, pause: .zero) }
        try await waitUntil("the first batch") { try await other.lastBatch() >= 1 }
        // From here on nothing but the commits themselves rings.
        let claim = try scene.claim(1)
        _ = try await vault.draft(claim.id, claim.terms)
        _ = try await vault.deposit(claim.id, scene.authorization(of: claim, from: Person(1)))
        try await waitUntil("the second batch") { try await other.lastBatch() >= 2 }
        sealer.cancel()
        await sealer.value
        #expect(try await scene.store.snapshot().unsealed.isEmpty)
        try await scene.expectSound(minted: 3_000_000)
      }
    }
  }
}
