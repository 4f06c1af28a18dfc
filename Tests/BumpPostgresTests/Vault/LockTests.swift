import BumpVault
import BumpWallet
import Lab
import Testing
import VaultContract

@testable import BumpPostgres
@testable import BumpVaultPostgres

extension PostgresTests.Vault {
  /// Transactions that meet.
  @Suite struct LockTests {
    /// Another hand holds the claim's row; whoever claims waits for it, and holds nothing else meanwhile.
    @Test func `the claim's row is locked before any balance`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        try await scene.payOneOfTwo()
        let claim = try scene.claim(1)
        try await database.other { other in
          try await other.run(
            script: "BEGIN; SELECT * FROM bump_vault.claims WHERE status = 'pending' FOR UPDATE", named: "lock",
            effect: .nothing)
          let task = Task { try await scene.take(claim, for: Person(2)) }
          try await database.findsWaiting("FOR UPDATE", "Lock")
          try await other.run(
            script: "SELECT 1 FROM bump_vault.senders, bump_vault.balances FOR UPDATE NOWAIT; ROLLBACK", named: "rest",
            effect: .nothing)
          _ = try await task.value
        }
        try await scene.expectSound()
      }
    }

    /// Whoever waits for a lock from before the expiry until after it comes too late, by the server's own clock too.
    @Test func `the time is that after the wait for a lock`() async throws {
      try await VaultDatabase.with { database in
        let store = try await database.open()
        let scene = try await Scene(StoreMaker { _, _ in store })
        let (alice, bob) = (try Person(1), try Person(2))
        let now = try await store.rows(of: scene.claim(1).id).now
        scene.clock.set(now - now % 60)
        let claim = try scene.claim(1)
        try await scene.mint(1_000_000, to: alice)
        _ = try await scene.vault.draft(claim.id, claim.terms)
        scene.clock.set(now)
        _ = try await scene.vault.deposit(claim.id, scene.authorization(of: claim, from: alice, lasting: 3600))
        try await database.other { other in
          try await other.run(
            script: "BEGIN; SELECT * FROM bump_vault.claims FOR UPDATE", named: "lock", effect: .nothing)
          let task = Task { try await scene.take(claim, for: bob) }
          try await database.findsWaiting("FOR UPDATE", "Lock")
          let start = try await store.rows(of: claim.id).now
          // Seconds of the server's: they pass by themselves.
          try await waitUntil("two seconds") { try await store.rows(of: claim.id).now >= start + 2 }
          try await other.run(script: "ROLLBACK", named: "unlock", effect: .nothing)
          #expect(try await task.value.receipt.time >= start + 2)
        }
        try await scene.expectSound()
      }
    }

    /// As another program's: it takes the balances first.
    @Test func `a change that meets another hand's locks in a circle is made all the same`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        try await scene.payOneOfTwo()
        let claim = try scene.claim(1)
        // Whoever closes the circle looks for it first, and gives way.
        try await database.tamper("ALTER DATABASE \(database.name) SET deadlock_timeout = '10ms'")
        let store = try await database.open(clock: { [clock = scene.clock] in clock.now })
        let settling = try await scene.settling(claim, for: Person(2))
        try await database.other { third in
          try await third.run(
            script: "BEGIN; SELECT * FROM bump_vault.senders FOR UPDATE", named: "senders", effect: .nothing)
          // As where it does not share its transaction: it waits for as long as it takes.
          let task = Task { try await store.writing.write { try await $0.settle([settling]) } }
          // It has the claim's row and waits for the sender's.
          try await database.findsWaiting("UPDATE bump_vault.senders", "Lock")
          try await database.other { other in
            try await other.run(
              script: "SET deadlock_timeout = '600s'; BEGIN; SELECT * FROM bump_vault.balances FOR UPDATE",
              named: "balances", effect: .nothing)
            async let locked = other.run(
              script: "SELECT * FROM bump_vault.claims WHERE status = 'pending' FOR UPDATE; COMMIT", named: "claims",
              effect: .nothing)
            try await database.findsWaiting("status = 'pending' FOR UPDATE", "Lock", of: "tests")
            try await third.run(script: "ROLLBACK", named: "go on", effect: .nothing)
            _ = try await locked
          }
          let committed = try #require(try await task.value?.first)
          #expect(try committed?.claim?.settlement?.receiver == Person(2).address)
        }
        try await scene.expectSound()
      }
    }

    /// PostgreSQL's own word for it, as often as it takes and no more often than ten times.
    @Test(arguments: [(9, true), (10, false)])
    func `what the server rolls back for another transaction's sake is tried ten times`(
      failures: Int, isDone: Bool
    ) async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        try await scene.payOneOfTwo()
        let (claim, bob) = (try scene.claim(1), try Person(2))
        try await database.tamper(
          """
          CREATE SEQUENCE public.tries;
          CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN IF nextval('public.tries') <= \(failures) THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF;
            RETURN NULL; END $$;
          CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON bump_vault.journal DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION public.fail();
          """)
        if isDone {
          try await scene.take(claim, for: bob)
        } else {
          let error = try await failure(VaultStoreError.self) { try await scene.take(claim, for: bob) }
          #expect(error.code == .failed)
          #expect(try await scene.vault.view(.claimID(claim.id)).status == .pending)
        }
        try await scene.expectSound()
      }
    }

    @Test func `commits are durable where the database's default is not`() async throws {
      try await VaultDatabase.with { database in
        try await database.tamper("ALTER DATABASE \(database.name) SET synchronous_commit = off")
        let scene = try await Scene(database.maker())
        try await scene.mint(1_000_000, to: Person(1))
        // Written as the trigger sees it: a row for each kind of change.
        try await database.tamper(
          """
          CREATE TABLE public.commits (level text);
          CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN INSERT INTO public.commits VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
          CREATE TRIGGER note AFTER INSERT ON bump_vault.journal FOR EACH ROW EXECUTE FUNCTION public.note();
          CREATE TRIGGER note AFTER INSERT ON bump_vault.claims FOR EACH ROW EXECUTE FUNCTION public.note();
          CREATE TRIGGER note AFTER INSERT ON bump_vault.batches FOR EACH ROW EXECUTE FUNCTION public.note();
          """)
        try await scene.mint(1_000_000, to: Person(1))
        try await scene.lock(scene.claim(1), from: Person(1))
        try await scene.take(scene.claim(1), for: Person(2))
        try await scene.store.seal(limit: 10)
        let levels = try await database.pool.run(
          PostgresStatement("levels", sql: "SELECT level FROM public.commits")
        ).map { try $0.decode("level", as: String.self) }
        #expect(levels == Array(repeating: "on", count: 5))
      }
    }
  }
}
