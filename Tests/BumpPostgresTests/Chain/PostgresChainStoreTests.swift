import BumpChain
import BumpWallet
import ChainContract
import Lab
import Testing
import VaultContract

@testable import BumpPostgres
@testable import BumpVaultPostgres

extension PostgresTests {
  /// The store of a vault on a chain. One test after the other: each has a database of its own.
  @Suite(.serialized) struct Chain {
    /// Opens stores of one database, gives them to a test, and closes them.
    private func with(
      _ database: VaultDatabase, _ count: Int = 2, of vault: DeployedVault = ChainScene.vault,
      _ body: ([PostgresChainStore]) async throws -> Void
    ) async throws {
      var stores: [PostgresChainStore] = []
      do {
        for _ in 0..<count {
          stores.append(
            try await PostgresChainStore.open(
              database.configuration, of: vault, waitLimit: .hang, mayLoseCommits: true))
        }
        try await body(stores)
      } catch {
        for store in stores { await store.close() }
        throw error
      }
      for store in stores { await store.close() }
    }

    /// The rules about a lease's time need a clock that is set: the server's is not.
    @Test(arguments: ChainRule.all.filter { !$0.setsClock })
    func `a database keeps the contract of a vault on a chain`(rule: ChainRule) async throws {
      try await VaultDatabase.with { database in
        try await with(database) { stores in
          let next = NextStore(stores)
          try await rule.check(on: ChainStoreMaker { _, _ in await next.take() })
        }
      }
    }

    @Test func `a holder whose lease another server has taken writes nothing`() async throws {
      try await VaultDatabase.with { database in
        try await with(database) { stores in
          let scene = try await ChainScene(ChainStoreMaker { _, _ in stores[0] })
          try await scene.store.giveUp(scene.lease)
          _ = try await stores[1].takeLease(of: scene.key.address, holder: ChainScene.second, seconds: 60)
          let entry = try scene.entry(ChainScene.deposit(1), nonce: 0)
          await #expect(throws: ChainStoreError(.leaseLost, "")) { try await scene.store.write(entry, scene.lease) }
          #expect(try await stores[1].entries(of: scene.key.address) == [])
        }
      }
    }

    @Test func `one of many that ask for a lease at once has it`() async throws {
      try await VaultDatabase.with { database in
        try await with(database) { stores in
          let held = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
              let store = stores[number % 2]
              group.addTask {
                let holder = ChainScene.hash("process \(number)")
                let answer = try await store.takeLease(of: ChainScene.alice, holder: holder, seconds: 60)
                if case .held = answer { return true } else { return false }
              }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
          }
          #expect(held == 1)
        }
      }
    }

    @Test(arguments: [
      "UPDATE bump_chain.rows SET key = 'claim-2'::bytea WHERE kind = 'drafts'",
      "UPDATE bump_chain.rows SET body = body || '\\x00'::bytea WHERE kind = 'drafts'",
    ])
    func `a claim that this program has not written is not believed`(sql: String) async throws {
      try await VaultDatabase.with { database in
        try await with(database) { stores in
          _ = try await stores[0].add(ChainScene.draft(1), lapsingBefore: 0)
          try await database.tamper(sql)
          await #expect(throws: ChainStoreError(.damaged, "")) {
            try await stores[0].claim(ledgerID: ChainScene.terms(1).ledgerID)
          }
        }
      }
    }

    /// The plans of a server that has no statistics yet, which stay with a connection.
    @Test func `rows are looked up by indexes, however many there are`() async throws {
      try await VaultDatabase.with { database in
        try await with(database) { _ in }
        try await database.tamper(
          """
          ALTER TABLE bump_chain.rows SET (autovacuum_enabled = off);
          INSERT INTO bump_chain.rows (kind, key, first, second, number, body)
            SELECT 'events', sha256(n::text::bytea), sha256(n::text::bytea), sha256(n::text::bytea), n, ''
            FROM generate_series(1, 20000) AS n
          """)
        let connection = try await PostgresConnection.open(database.configuration.planned)
        for (statement, index) in [
          (ChainRowTable.key, "rows_pkey"), (ChainRowTable.range, "rows_pkey"), (ChainRowTable.rangeDown, "rows_pkey"),
          (ChainRowTable.first, "rows_by_first"), (ChainRowTable.second, "rows_by_second"),
          (ChainRowTable.number, "rows_by_number"),
        ] {
          let types = statement.parameters.map(\.rawValue).joined(separator: ", ")
          let values = statement.parameters.map { _ in "NULL" }.joined(separator: ", ")
          let plan = try await database.explained(
            connection, "PREPARE \(statement.name)(\(types)) AS \(statement.sql)", "\(statement.name)(\(values))")
          #expect(plan.contains(" using \(index) ") && plan.contains("Index Cond"), "\(statement.name):\n\(plan)")
          #expect(!plan.contains("Sort") && !plan.contains("Filter"), "\(statement.name):\n\(plan)")
        }
        await connection.close()
      }
    }

    @Test func `the store of another contract is refused`() async throws {
      try await VaultDatabase.with { database in
        try await with(database) { _ in }
        let other = DeployedVault(chainID: 1, contract: ChainScene.vault.contract)
        await #expect(throws: ChainStoreError(.otherVault, "")) { try await with(database, of: other) { _ in } }
      }
    }

    @Test func `a server that loses commits is refused`() async throws {
      try await VaultDatabase.with { database in
        let error = await #expect(throws: ChainStoreError.self) {
          try await PostgresChainStore.open(database.configuration, of: ChainScene.vault, waitLimit: .hang)
        }
        #expect(error?.code == .unusable && error?.reason.contains("power cut") == true)
      }
    }
  }
}

/// Gives one store after the other, over and over.
private actor NextStore {
  private let stores: [PostgresChainStore]
  private var taken = 0

  init(_ stores: [PostgresChainStore]) { self.stores = stores }

  func take() -> PostgresChainStore {
    defer { taken += 1 }
    return stores[taken % stores.count]
  }
}
