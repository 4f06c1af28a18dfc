import BumpClaims
import BumpVault
import BumpWallet
import Lab
import Testing
import VaultContract

@testable import BumpPostgres
@testable import BumpVaultPostgres

extension PostgresTests.Vault {
  /// Several claims in one transaction.
  @Suite struct SettleTests {
    /// Pending claims, each with a sender of its own, and what pays them out to receivers of their own.
    private struct Claims {
      let scene: Scene
      let store: PostgresVaultStore
      let made: [MadeClaim]
      let settlings: [Settling]

      /// - Parameter order: makes the claims in this order, so that their rows have another than their names.
      init(_ database: VaultDatabase, count: UInt64, order: (MadeClaim, MadeClaim) -> Bool = { _, _ in false })
        async throws
      {
        scene = try await Scene(database.maker())
        store = try #require(scene.store as? PostgresVaultStore)
        made = try (0..<count).map { [scene] in try scene.claim($0) }.sorted(by: order)
        var settlings: [Settling] = []
        for (number, claim) in made.enumerated() {
          let sender = try Person(UInt64(number))
          try await scene.mint(1_000_000, to: sender)
          try await scene.lock(claim, from: sender)
          settlings.append(try await scene.settling(claim, for: Person(100 + UInt64(number))))
        }
        self.settlings = settlings
      }

      func balances() async throws -> [Int64] {
        var balances: [Int64] = []
        for number in made.indices { balances.append(try await scene.balance(Person(100 + UInt64(number)))) }
        return balances
      }
    }

    private static let transactions = PostgresStatement(
      "transactions", sql: "SELECT count(DISTINCT xmin::text) AS count FROM bump_vault.journal WHERE kind = 3")

    @Test func `claims that wait at the same time share a transaction`() async throws {
      try await VaultDatabase.with { database in
        let claims = try await Claims(database, count: 12)
        let store = claims.store
        try await database.other { other in
          try await other.run(
            script: "BEGIN; LOCK TABLE bump_vault.claims IN ACCESS EXCLUSIVE MODE", named: "lock", effect: .nothing)
          try await withThrowingTaskGroup { group in
            group.addTask { _ = try #require(try await store.commit(claims.settlings[0].change)) }
            try await database.findsWaiting("FOR UPDATE", "Lock")
            for settling in claims.settlings.dropFirst() {
              group.addTask { _ = try #require(try await store.commit(settling.change)) }
            }
            try await waitUntil("calls that wait") { store.settlements.waitingCount >= 11 }
            try await other.run(script: "ROLLBACK", named: "unlock", effect: .nothing)
            try await group.waitForAll()
          }
        }
        #expect(try await claims.balances() == Array(repeating: 1_000_000, count: 12))
        #expect(try await database.pool.run(Self.transactions).first?.decode("count", as: Int64.self) == 2)
        try await claims.scene.expectSound(minted: 12_000_000)
      }
    }

    @Test func `each claim of a transaction is decided on its own`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        let store = try #require(scene.store as? PostgresVaultStore)
        let (alice, bob, carol) = (try Person(1), try Person(2), try Person(3))
        try await scene.mint(9_000_000, to: alice)
        try await scene.mint(9_000_000, to: carol)
        // Two senders, and one receiver for several.
        let (first, second, third) = (try scene.claim(1), try scene.claim(2), try scene.claim(3))
        let (taken, late) = (try scene.claim(4), try scene.claim(5, lasting: 120))
        for claim in [first, third, taken, late] { try await scene.lock(claim, from: alice) }
        try await scene.lock(second, from: carol)
        var settlings = [try await scene.settling(first, for: bob)]
        settlings.append(try await scene.settling(taken, for: bob))
        settlings.append(try await scene.settling(late, for: bob))
        settlings.append(try await scene.settling(second, for: bob))
        settlings.append(try await scene.refunding(late))
        settlings.append(try await scene.settling(first, for: carol))
        settlings.append(try await scene.refunding(second))
        settlings.append(try await scene.settling(third, for: carol))
        try await scene.take(taken, for: carol)
        scene.clock.set(late.terms.expiry.unixSeconds)

        let settled = try await store.writing.settle(settlings).map { try $0.get().committed }
        #expect(
          settled.map { $0?.claim?.settlement?.receiver } == [
            bob.address, nil, nil, bob.address, nil, nil, nil, carol.address,
          ])
        for committed in settled.compactMap(\.self) {
          let id = try #require(committed.claim?.claimID)
          #expect(try await store.rows(of: id).claim == committed.claim)
          #expect(committed.claim?.settlement?.transaction == committed.entry?.hash)
        }
        #expect(try await (scene.balance(bob), scene.balance(carol)) == (2_000_000, 10_000_000))
        // Of two for one claim the first counted, and what came too early or too late changed nothing: it is refunded now.
        #expect(try await scene.vault.refund(late.id).receipt.outcome == .refunded)
        try await scene.expectSound(minted: 18_000_000)
      }
    }

    /// Another hand has one's row for as long as it likes.
    @Test func `a claim whose row somebody holds keeps nobody else waiting`() async throws {
      try await VaultDatabase.with { database in
        let claims = try await Claims(database, count: 3)
        let store = claims.store
        try await database.other { other in
          try await other.run(
            script: "BEGIN; SELECT * FROM bump_vault.claims WHERE claim_id = '\(claims.made[0].id)' FOR UPDATE",
            named: "lock", effect: .nothing)
          let apart = try await store.writing.settle(claims.settlings).map { try $0.get().isApart }
          #expect(apart == [true, true, true])
          let held = Task { try await store.commit(claims.settlings[0].change) }
          try await database.findsWaiting("FOR UPDATE", "Lock")
          for settling in claims.settlings.dropFirst() { #expect(try await store.commit(settling.change) != nil) }
          #expect(try await claims.balances() == [0, 1_000_000, 1_000_000])
          try await other.run(script: "ROLLBACK", named: "unlock", effect: .nothing)
          #expect(try await held.value != nil)
        }
        try await claims.scene.expectSound(minted: 3_000_000)
      }
    }

    /// A rule of the database's owner, and a row that is gone.
    @Test(arguments: [
      ("ALTER TABLE bump_vault.balances ADD CHECK (account <> '\\x$receiver') NOT VALID", VaultStoreError.Code.failed),
      ("DELETE FROM bump_vault.senders WHERE address = '\\x$sender'", .damaged),
    ])
    func `a claim that the database refuses fails none of the others`(
      sql: String, code: VaultStoreError.Code
    ) async throws {
      try await VaultDatabase.with { database in
        let claims = try await Claims(database, count: 3)
        let names = try ["$sender": Person(1).address, "$receiver": Person(101).address]
        try await database.tamper(
          names.reduce(sql) { $0.replacing($1.key, with: $1.value.description.dropFirst(2).lowercased()) })
        let apart = try await claims.store.writing.settle(claims.settlings).map { try $0.get().isApart }
        #expect(apart == [true, true, true])
        #expect(try await claims.balances() == [0, 0, 0])
        for (number, settling) in claims.settlings.enumerated() {
          if number == 1 {
            let error = try await failure(VaultStoreError.self) { _ = try await claims.store.commit(settling.change) }
            #expect(error.code == code)
          } else {
            #expect(try await claims.store.commit(settling.change) != nil)
          }
        }
        #expect(try await claims.balances() == [1_000_000, 0, 1_000_000])
      }
    }

    /// Rows of each kind are locked in one order: while the first is another's, nobody has the last.
    @Test(arguments: [
      ("claims", "claim_id"), ("senders", "address"), ("balances", "account"),
    ])
    func `transactions of several claims lock their rows in one order`(table: String, key: String) async throws {
      try await VaultDatabase.with { database in
        // Rows stand in the table in the opposite order.
        let claims = try await Claims(database, count: 8) { $0.id.description > $1.id.description }
        let scene = claims.scene
        // The receivers have balances already.
        for number in claims.made.indices.reversed() { try await scene.mint(1, to: Person(100 + UInt64(number))) }
        let condition =
          switch table {
          case "claims": "status = 'pending'"
          case "balances": "balance = 1"
          default: "pending = 1"
          }
        let row = { @Sendable (order: String) in
          "SELECT 1 FROM bump_vault.\(table) WHERE \(condition) ORDER BY \(key) \(order) LIMIT 1 FOR UPDATE"
        }
        for settlings in [claims.settlings, claims.settlings.reversed()] {
          try await database.other { other in
            try await other.run(script: "BEGIN; \(row("ASC"))", named: "first", effect: .nothing)
            let task = Task { [store = claims.store] in
              try await store.writing.write { transaction in
                let written = try await transaction.settle(settlings)
                // For another round.
                if settlings[0].claimID == claims.settlings[0].claimID { throw Stale() }
                return written
              }
            }
            try await database.findsWaiting("bump_vault", "Lock")
            try await other.run(script: "\(row("DESC")) NOWAIT; ROLLBACK", named: "last", effect: .nothing)
            _ = try await task.value
          }
        }
        #expect(try await claims.balances() == Array(repeating: 1_000_001, count: 8))
        try await scene.expectSound(minted: 8_000_008)
      }
    }

    @Test func `where the commit of several is lost, what became of it is asked for all of them`() async throws {
      try await VaultDatabase.with { database in
        let claims = try await Claims(database, count: 3)
        try await database.tamper(
          """
          CREATE SEQUENCE public.commits;
          CREATE FUNCTION public.wait() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN IF nextval('public.commits') = 1 THEN PERFORM pg_sleep(600); END IF; RETURN NULL; END $$;
          CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON bump_vault.journal DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION public.wait();
          """)
        let task = Task { [store = claims.store] in await store.writing.settle(claims.settlings) }
        try await database.terminate(database.findsWaiting("COMMIT"))
        let lost = try await task.value.map { try $0.get().committed }
        #expect(lost == [nil, nil, nil])
        #expect(try await claims.balances() == [0, 0, 0])
        let made = await claims.store.writing.settle(claims.settlings)
        #expect(try made.allSatisfy { try $0.get().committed != nil })
        try await claims.scene.expectSound(minted: 3_000_000)
      }
    }
  }
}

extension Settling {
  fileprivate var change: Change {
    switch self {
    case .claim(let claim): .claim(claim)
    case .refund(let refund): .refund(refund)
    }
  }
}

extension Settled {
  fileprivate var committed: Committed? {
    guard case .done(let committed) = self else { return nil }
    return committed
  }
  fileprivate var isApart: Bool {
    if case .apart = self { true } else { false }
  }
}

extension Scene {
  func settling(_ claim: MadeClaim, for receiver: Person) async throws -> Settling {
    guard case .claim(let change) = try await decidedClaim(claim, for: receiver) else {
      preconditionFailure("a claim was decided")
    }
    return .claim(change)
  }

  /// As a vault decides whose clock runs ahead of the store's.
  fileprivate func refunding(_ claim: MadeClaim) async throws -> Settling {
    let rows = ClaimRows(now: claim.terms.expiry.unixSeconds, claim: try await store.rows(of: claim.id).claim)
    guard case .change(.refund(let change)) = try vault.rules.refund(rows) else {
      preconditionFailure("a refund was decided")
    }
    return .refund(change)
  }
}
