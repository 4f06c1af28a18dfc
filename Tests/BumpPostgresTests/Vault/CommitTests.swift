import BumpClaims
import BumpVault
import BumpWallet
import Lab
import Testing
import VaultContract

@testable import BumpPostgres
@testable import BumpVaultPostgres

extension PostgresTests.Vault {
  /// The connection ends in COMMIT.
  @Suite struct CommitTests {
    /// Makes the first COMMIT of a change that moves money wait before it writes.
    private static func delay(_ how: String) -> String {
      """
      CREATE SEQUENCE public.commits;
      CREATE FUNCTION public.wait() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF nextval('public.commits') = 1 THEN \(how) END IF; RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON bump_vault.journal DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION public.wait();
      """
    }

    @Test func `a commit that was lost before it was written is made anew, once`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        let (alice, bob, claim) = (try Person(1), try Person(2), try scene.claim(1))
        try await scene.mint(1_000_000, to: alice)
        try await scene.lock(claim, from: alice)
        try await database.tamper(Self.delay("PERFORM pg_sleep(600);"))
        let task = Task { try await scene.take(claim, for: bob) }
        try await database.terminate(database.findsWaiting("COMMIT"))
        let receipt = try await task.value
        #expect(try await scene.vault.claim(claim.id, for: bob.address, proof: []) == receipt)
        #expect(try await scene.balance(bob) == 1_000_000)
        try await scene.expectSound(minted: 1_000_000)
      }
    }

    /// As after a crash of the server, which knows nothing of a transaction whose records were not written yet.
    @Test func `a transaction whose number another one has is lost, unless its own row is there`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        let alice = try Person(1)
        try await scene.mint(1_000_000, to: alice)
        let store = try #require(scene.store as? PostgresVaultStore)
        let entry = try #require(try await store.history(of: alice.address, before: nil, limit: 1).first).entry
        let number = PostgresStatement("number", sql: "SELECT xmin::text::xid8::text AS number FROM bump_vault.journal")
        let transaction = try #require(try await database.pool.run(number).first).decode("number", as: String.self)
        let readback = Readback(
          pool: database.pool, presence: store.writing.presence, clock: ContinuousClock())
        let claim = try scene.claim(1)
        _ = try await scene.vault.draft(claim.id, claim.terms)
        let batch = try #require(try await store.seal(limit: 1))
        let other = try scene.claim(2)
        for row in [
          .entry(entry.hash), .draft(claim.id, claim.terms.ledgerID), .batch(batch.number, batch.hash),
        ] as [WrittenRow] {
          #expect(try await readback.isCommitted(transaction, row: row), "\(row)")
        }
        for row in [
          .entry(.word(7)), .entry(claim.terms.ledgerID), .draft(other.id, other.terms.ledgerID),
          .draft(claim.id, other.terms.ledgerID), .batch(batch.number, .word(7)), .batch(2, batch.hash),
        ] as [WrittenRow] {
          #expect(try await !readback.isCommitted(transaction, row: row), "\(row)")
        }
      }
    }

    /// COMMIT has written and waits for a standby that does not exist. The server is killed and recovers, and there it is.
    @Test func `a commit whose answer was lost once it was written is answered, and not made again`() async throws {
      let settings = ["fsync": "off", "synchronous_commit": "local", "synchronous_standby_names": "nobody"]
      try await PostgresCluster.with(settings: settings) { cluster in
        try await VaultDatabase.with(cluster) { database in
          let scene = try await Scene(database.maker())
          let (alice, bob, claim) = (try Person(1), try Person(2), try scene.claim(1))
          try await scene.mint(1_000_000, to: alice)
          try await scene.lock(claim, from: alice)
          try await database.tamper(
            """
            CREATE FUNCTION public.wait() RETURNS trigger LANGUAGE plpgsql AS
              $$ BEGIN PERFORM set_config('synchronous_commit', 'on', true); RETURN NULL; END $$;
            CREATE TRIGGER wait AFTER INSERT ON bump_vault.journal FOR EACH ROW EXECUTE FUNCTION public.wait();
            """)
          let change = try await scene.decidedClaim(claim, for: bob)
          let task = Task { try await scene.store.commit(change) }
          try await cluster.kill(database.findsWaiting("COMMIT"))
          // By the store alone: the vault would read it back too.
          let committed = try #require(try await task.value)
          #expect(committed.claim?.status == .claimed)
          #expect(try await scene.store.rows(of: claim.id).claim == committed.claim)
          try await scene.expectSound(minted: 1_000_000)
        }
      }
    }

    /// The client has given up, and the server goes on: rows would say that nothing was locked.
    @Test func `while a commit is still being made, nobody is told that it was not`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        let (alice, claim, delays) = (try Person(1), try scene.claim(1), HeldClock())
        try await scene.mint(1_000_000, to: alice)
        _ = try await scene.vault.draft(claim.id, claim.terms)
        let word = try scene.authorization(of: claim, from: alice)
        let hasty = try await BumpVault.Vault(
          database.open(clock: { [clock = scene.clock] in clock.now }, delays: delays) {
            $0.statementLimit = .seconds(1)
          })
        // Not even a request to cancel it ends it. The server may pass such a request on twice: to the process, and to its
        // group (`signal_child` of PostgreSQL 15).
        let lock = "PERFORM pg_advisory_lock_shared(7);"
        try await database.tamper(
          Self.delay(
            """
            BEGIN
              BEGIN \(lock)
                EXCEPTION WHEN query_canceled THEN \(lock) END;
              EXCEPTION WHEN query_canceled THEN \(lock) END;
            """))
        try await database.other { other in
          try await other.run(script: "SELECT pg_advisory_lock(7)", named: "lock", effect: .nothing)
          let answered = Shared(false)
          let task = Task {
            defer { answered.change { $0 = true } }
            while true {
              do {
                return try await hasty.deposit(claim.id, word)
              } catch let error as VaultStoreError where error.code == .failed {
                // On a slow machine a statement before the commit can take that second too.
              }
            }
          }
          // Once the client has given up, the store asks what became of it.
          try await database.finds("pg_xact_status")
          try await database.findsWaiting("COMMIT", "Lock")
          scene.clock.advance(by: 1000)
          #expect(!answered.value)
          try await other.run(script: "SELECT pg_advisory_unlock(7)", named: "unlock", effect: .nothing)
          delays.goOn()
          #expect(try await task.value.status == .pending)
        }
        #expect(try await scene.balance(alice) == 0)
        try await scene.expectSound(minted: 1_000_000)
      }
    }

    @Test func `where the server does not come back, it is said that nobody knows`() async throws {
      try await PostgresCluster.with { cluster in
        try await VaultDatabase.with(cluster) { database in
          let clock = RecordingClock()
          let scene = try await Scene(database.maker(delays: clock))
          let (alice, claim) = (try Person(1), try scene.claim(1))
          try await scene.mint(1_000_000, to: alice)
          _ = try await scene.vault.draft(claim.id, claim.terms)
          let word = try scene.authorization(of: claim, from: alice)
          try await database.tamper(Self.delay("PERFORM pg_sleep(600);"))
          let task = Task { try await scene.vault.deposit(claim.id, word) }
          try await database.findsWaiting("COMMIT")
          try await cluster.stop(.immediate)
          let error = try await failure(VaultStoreError.self) { _ = try await task.value }
          #expect(error.code == .failed && error.reason.hasSuffix("cannot be known yet"))
          #expect(clock.waits == Readback.delays && clock.waits.reduce(.zero, +) > .seconds(19))
          try await cluster.startAgain()
          try await database.pool.recovers(from: nil)
          try await database.tamper("DROP TRIGGER wait ON bump_vault.journal")
          // It was not.
          #expect(try await scene.vault.deposit(claim.id, word).status == .pending)
          try await scene.expectSound(minted: 1_000_000)
        }
      }
    }
  }
}

/// A clock on which waits begin once it is let go.
private final class HeldClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let isHeld = Shared(true)
  var now: Instant { .now }
  var minimumResolution: Duration { .zero }

  func goOn() { isHeld.change { $0 = false } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let wait = now.duration(to: deadline)
    while isHeld.value { try await Task.sleep(for: .milliseconds(1)) }
    try await Task.sleep(for: wait)
  }
}
