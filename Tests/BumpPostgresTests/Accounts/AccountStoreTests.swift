import BumpSignIn
import Crypto
import Lab
import SignInContract
import Testing

@testable import BumpPostgres
@testable import BumpVaultPostgres

extension PostgresTests {
  /// The store of accounts. One test after the other: each has a database of its own, and several connections to it.
  @Suite(.serialized) struct Accounts {
    /// Opens stores of one database, gives them to a test, and closes them.
    private func with(
      _ database: VaultDatabase, _ count: Int = 1, keys: AccountKeys = SignInScene.keys,
      _ body: ([PostgresAccountStore]) async throws -> Void
    ) async throws {
      var stores: [PostgresAccountStore] = []
      do {
        for _ in 0..<count {
          stores.append(
            try await PostgresAccountStore.open(
              database.configuration, keys: keys, waitLimit: .hang, mayLoseCommits: true))
        }
        try await body(stores)
      } catch {
        for store in stores { await store.close() }
        throw error
      }
      for store in stores { await store.close() }
    }

    @Test(arguments: SignInRule.all)
    func `accounts in PostgreSQL keep the contract of signing in`(rule: SignInRule) async throws {
      try await VaultDatabase.with { database in
        try await with(database) { stores in try await rule.check(on: AccountStoreMaker { _ in stores[0] }) }
      }
    }

    @Test func `two servers on one database count codes and guesses together`() async throws {
      try await VaultDatabase.with { database in
        try await with(database, 2) { stores in
          let scene = try await SignInScene(AccountStoreMaker { _ in stores[0] })
          let other = SignIn(stores[1], keys: SignInScene.keys, domain: scene.domain)
          let sent = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<30 {
              let signIn = number.isMultiple(of: 2) ? scene.signIn : other
              group.addTask { try await signIn.begin(at: .alice, replacing: nil, at: scene.now).message != nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
          }
          #expect(sent == 5)
          let browser = Browser()
          let code = try #require(try await scene.begin(browser, .named("bob")))
          let flow = browser.flow
          let looked = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<30 {
              let signIn = number.isMultiple(of: 2) ? scene.signIn : other
              group.addTask {
                do {
                  _ = try await signIn.enter(code.wrong, in: flow, replacing: nil, at: scene.now)
                  return true
                } catch let refusal as SignInRefusal {
                  return refusal.code == .wrongCode
                }
              }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
          }
          #expect(looked == 5)
        }
      }
    }

    @Test func `a store that was made with another key is refused`() async throws {
      try await VaultDatabase.with { database in
        try await with(database) { _ in }
        let other = AccountKeys(secret: SymmetricKey(data: [UInt8](repeating: 9, count: 32)))
        await #expect(throws: AccountStoreError(.otherKeys, "")) { try await with(database, keys: other) { _ in } }
        try await with(database) { _ in }
      }
    }

    @Test(arguments: [
      "CREATE TABLE bump_accounts.more (a int8)", "DROP INDEX bump_accounts.flows_by_expiry",
      "ALTER TABLE bump_accounts.flows ADD COLUMN more int8", "UPDATE bump_accounts.version SET number = 2",
      "CREATE RULE more AS ON DELETE TO bump_accounts.flows DO INSTEAD NOTHING",
    ])
    func `a schema in which somebody made something is refused`(sql: String) async throws {
      try await VaultDatabase.with { database in
        try await with(database) { _ in }
        try await database.tamper(sql)
        await #expect(throws: AccountStoreError(.unusable, "")) { try await with(database) { _ in } }
      }
    }

    @Test func `the vault and its accounts share a database, and neither sees the other`() async throws {
      try await VaultDatabase.with { database in
        _ = try await database.open()
        try await with(database) { stores in
          try await SignInScene(AccountStoreMaker { _ in stores[0] }).signIn(Browser())
        }
        _ = try await database.open()
      }
    }

    private static let everything = PostgresStatement(
      "accounts_everything",
      sql: """
        SELECT concat(
          (SELECT string_agg(t::text, ' ') FROM bump_accounts.version t),
          (SELECT string_agg(t::text, ' ') FROM bump_accounts.addresses t),
          (SELECT string_agg(t::text, ' ') FROM bump_accounts.accounts t),
          (SELECT string_agg(t::text, ' ') FROM bump_accounts.flows t),
          (SELECT string_agg(t::text, ' ') FROM bump_accounts.sessions t),
          (SELECT string_agg(t::text, ' ') FROM bump_accounts.devices t)) AS text
        """)

    @Test func `no table has an address, a code, a token or a key`() async throws {
      try await VaultDatabase.with { database in
        try await with(database) { stores in
          let scene = try await SignInScene(AccountStoreMaker { _ in stores[0] })
          let (browser, waiting) = (Browser(), Browser())
          let account = try await scene.signIn(browser)
          let (credential, name, wrapped) = try device(1)
          try await scene.change(
            .add(credential, name, wrapped), of: account.id, by: SignInScene.wallet(1), in: browser)
          let code = try #require(try await scene.begin(waiting, .alice))
          let text: String = try #require(try await database.pool.run(Self.everything).first).decode("text")
          let token = try #require(browser.session).cookieValue
          for secret in ["alice", "example.org", code.digits, token, String(repeating: "07", count: 32)] {
            let hex = secret.utf8.map { String($0, radix: 16) }.joined()
            #expect(!text.contains(secret) && !text.contains(hex))
          }
          // What is searched for could be found.
          #expect(text.contains("Phone") && text.contains(String(repeating: "01", count: 60)))
        }
      }
    }

    @Test func `a server that loses commits is refused`() async throws {
      try await VaultDatabase.with { database in
        let error = await #expect(throws: AccountStoreError.self) {
          try await PostgresAccountStore.open(database.configuration, keys: SignInScene.keys, waitLimit: .hang)
        }
        #expect(error?.code == .unusable && error?.reason.contains("power cut") == true)
      }
    }
  }
}
