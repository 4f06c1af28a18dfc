import BumpVault
import BumpVaultPostgres
import BumpWallet
import Foundation
import Lab
import Testing
import VaultContract

@testable import BumpPostgres

extension PostgresTests.Vault {
  @Suite struct OpeningTests {
    @Test func `what was written is there for the next that opens`() async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker())
        try await scene.payOneOfTwo()
        try await scene.store.seal(limit: 2)
        let receipt = try await scene.take(scene.claim(2), for: Person(2))
        let again = try await Scene(database.maker())
        #expect(try await again.vault.claim(scene.claim(2).id, for: Person(2).address, proof: []) == receipt)
        try await again.expectSound(minted: 9_000_000)
      }
    }

    @Test func `of processes that open at once, one makes the vault`() async throws {
      try await VaultDatabase.with { database in
        let identities = try await withThrowingTaskGroup(of: VaultIdentity.self) { group in
          for _ in 0..<6 {
            group.addTask { try await database.open(size: 1, identity: VaultIdentity.drawUSDC()).identity() }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(identities.count == 6 && identities.allSatisfy { $0 == identities[0] })
      }
    }

    /// Whoever may make no schema is given an empty one.
    @Test func `a user with no rights but to an empty schema can have a vault in it`() async throws {
      try await VaultDatabase.with { database in
        let user = "plain_\(database.name)"
        try await database.tamper(
          "CREATE ROLE \(user) LOGIN PASSWORD 'p'; CREATE SCHEMA bump_vault AUTHORIZATION \(user)")
        let maker = database.maker {
          $0.user = user
          $0.password = PostgresPassword("p")
        }
        let scene = try await Scene(maker)
        try await scene.payOneOfTwo()
        try await scene.store.seal(limit: 10)
        try await scene.expectSound()
        await (scene.store as? PostgresVaultStore)?.close()
        try await database.tamper("DROP OWNED BY \(user); DROP ROLE \(user)")
      }
    }

    @Test(arguments: [
      ("UPDATE bump_vault.version SET number = 4", "newer version", "Install that version"),
      ("UPDATE bump_vault.version SET number = 2", "development build", "Serve it with that build"),
      ("UPDATE bump_vault.version SET number = 1", "development build", "Serve it with that build"),
      ("UPDATE bump_vault.version SET number = 0", "not a vault's", "Name another database"),
      ("DELETE FROM bump_vault.version", "not a vault's", "Name another database"),
      ("DROP TABLE bump_vault.version", "not a vault's", "Name another database"),
      (
        """
        CREATE FUNCTION public.thief() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
        CREATE TRIGGER thief AFTER UPDATE ON bump_vault.claims EXECUTE FUNCTION public.thief()
        """, "made, changed or removed", "Undo that"
      ),
      ("CREATE RULE thief AS ON UPDATE TO bump_vault.claims DO ALSO NOTHING", "made, changed or removed", "Undo that"),
      ("CREATE VIEW bump_vault.more AS SELECT 1 AS a", "made, changed or removed", "Undo that"),
      ("CREATE TABLE bump_vault.more (a int8)", "made, changed or removed", "Undo that"),
      ("CREATE FUNCTION bump_vault.more() RETURNS int4 LANGUAGE sql AS 'SELECT 1'", "made", "Undo that"),
      ("DROP INDEX bump_vault.settlements", "made, changed or removed", "Undo that"),
      ("ALTER TABLE bump_vault.balances DROP CONSTRAINT balances_balance_check", "made", "Undo that"),
      ("ALTER TABLE bump_vault.balances ALTER COLUMN balance DROP NOT NULL", "made", "Undo that"),
      ("ALTER TABLE bump_vault.balances ALTER COLUMN balance TYPE numeric", "made", "Undo that"),
      // What a crash of the server would empty.
      ("ALTER TABLE bump_vault.balances SET UNLOGGED", "made, changed or removed", "Undo that"),
      ("ALTER TABLE bump_vault.balances ENABLE ROW LEVEL SECURITY", "made, changed or removed", "Undo that"),
    ])
    func `a database that is not this version's vault is refused, with what to do`(
      sql: String, reason: String, remedy: String
    ) async throws {
      try await VaultDatabase.with { database in
        _ = try await database.open(size: 1)
        try await database.tamper(sql)
        let error = try await failure(VaultStoreError.self) { _ = try await database.open(size: 1) }
        #expect(error.code == .unusable)
        #expect(error.reason.contains(reason) && error.remedy?.hasPrefix(remedy) ?? false)
      }
    }

    @Test func `another program's schema of that name is refused, and left as it is`() async throws {
      try await VaultDatabase.with { database in
        try await database.tamper("CREATE SCHEMA bump_vault; CREATE TABLE bump_vault.claims (a int8)")
        let error = try await failure(VaultStoreError.self) { _ = try await database.open(size: 1) }
        #expect(error.code == .unusable && error.reason.contains("not a vault's"))
        let tables = try await database.pool.run(
          PostgresStatement("tables", sql: "SELECT tablename FROM pg_tables WHERE schemaname = 'bump_vault'"))
        #expect(tables.count == 1)
      }
    }

    @Test func `a server that a power cut may make lose commits is refused, with what it lacks`() async throws {
      try await VaultDatabase.with { database in
        let error = try await failure(VaultStoreError.self) {
          _ = try await database.open(mayLoseCommits: false, size: 1)
        }
        #expect(error.code == .unusable && error.remedy?.contains("postgresql.conf") == true, "\(error)")
        #expect(error.reason.contains(": fsync is off (set by: configuration file)"), "\(error)")
      }
    }

    /// Such a server is slower, and needs no disk.
    @Test func `a setting that loses commits is refused at whatever level it is off, and on again it is not`()
      async throws
    {
      try await PostgresCluster.with(settings: [:]) { cluster in
        try await VaultDatabase.with(cluster) { database in
          try await database.open(mayLoseCommits: false, size: 1).close()
          let off = "SET synchronous_commit = off"
          for (sql, undone, words) in [
            (
              "ALTER DATABASE \(database.name) \(off)", "ALTER DATABASE \(database.name) RESET synchronous_commit",
              "synchronous_commit is off (set by: database)"
            ),
            (
              "ALTER ROLE \(PostgresCluster.user) \(off)",
              "ALTER ROLE \(PostgresCluster.user) RESET synchronous_commit",
              "synchronous_commit is off (set by: user)"
            ),
          ] {
            try await database.tamper(sql)
            let error = try await failure(VaultStoreError.self) {
              _ = try await database.open(mayLoseCommits: false, size: 1)
            }
            #expect(error.code == .unusable && error.reason.hasSuffix(words), "\(error)")
            try await database.tamper(undone)
          }
          // On this machine's disk at the least.
          try await database.tamper("ALTER DATABASE \(database.name) SET synchronous_commit = local")
          try await database.open(mayLoseCommits: false, size: 1).close()
          try await database.tamper("ALTER SYSTEM SET full_page_writes = off")
          try await database.tamper("SELECT pg_reload_conf()")
          // The server reads its settings anew when it gets to it.
          let error = try await poll("the new setting") { () -> VaultStoreError? in
            do {
              try await database.open(mayLoseCommits: false, size: 1).close()
              return nil
            } catch let error as VaultStoreError {
              return error
            }
          }
          #expect(error.reason.hasSuffix("full_page_writes is off (set by: configuration file)"), "\(error)")
        }
      }
    }

    @Test func `where no server answers, the store says so`() async throws {
      try await VaultDatabase.with { database in
        let error = try await failure(VaultStoreError.self) {
          _ = try await database.open(size: 1) { $0.port = 1 }
        }
        #expect(error.code == .unusable && error.remedy != nil)
      }
    }

    /// What the vault's code cannot be asked to do, its database refuses.
    @Test(arguments: [
      "UPDATE balances SET balance = -1", "UPDATE balances SET balance = 9223372036854775807 + balance",
      "UPDATE tokens SET minted = -1", "UPDATE claims SET amount = 0", "UPDATE claims SET expiry = expiry + 1",
      "UPDATE claims SET status = 'claimed'", "UPDATE claims SET status = 'none'", "UPDATE claims SET status = 'paid'",
      "UPDATE claims SET sender = '\\x00'", "UPDATE claims SET settled_at = 1",
      "UPDATE claims SET settled_at = deposited_at - 1 WHERE status = 'claimed'",
      "UPDATE claims SET settled_at = expiry WHERE status = 'claimed'", "UPDATE senders SET pending = -1",
      """
      INSERT INTO journal (hash, kind, time, ledger_id, sender, receiver, token, amount, evidence)
      SELECT sha256(hash), kind, time, ledger_id, sender, receiver, token, amount, evidence FROM journal
      """,
      """
      INSERT INTO journal (hash, kind, time, ledger_id, sender, receiver, token, amount, evidence)
      SELECT sha256(hash), 4, time, ledger_id, sender, receiver, token, amount, evidence FROM journal WHERE kind = 3
      """,
      "UPDATE journal SET amount = -amount", "UPDATE journal SET kind = 5", "UPDATE batches SET entries = '\\x00'",
    ])
    func `the database itself refuses what cannot be`(sql: String) async throws {
      try await VaultDatabase.with { database in
        let scene = try await Scene(database.maker(size: 1))
        try await scene.payOneOfTwo()
        try await scene.store.seal(limit: 2)
        let error = try await failure(PostgresError.self) {
          try await database.tamper("SET search_path = bump_vault; \(sql)")
        }
        #expect(["23505", "23514", "22003"].contains(error.sqlState?.text))
        try await scene.expectSound()
      }
    }

    /// Foundation's search takes minutes for so many bytes in a build for tests.
    private func contains(_ bytes: Data, _ form: [UInt8]) -> Bool {
      bytes.withUnsafeBytes { buffer in
        guard let base = buffer.baseAddress else { return false }
        var start = 0
        while let found = memchr(base + start, Int32(form[0]), buffer.count - start) {
          start = base.distance(to: found)
          guard start + form.count <= buffer.count else { return false }
          if memcmp(found, form, form.count) == 0 { return true }
          start += 1
        }
        return false
      }
    }

    /// The server's files, its write-ahead log among them.
    @Test func `no secret of a claim is in the files`() async throws {
      try await PostgresCluster.with { cluster in
        try await VaultDatabase.with(cluster) { database in
          let scene = try await Scene(database.maker())
          try await scene.payOneOfTwo()
          try await database.tamper("CHECKPOINT")
          let forms = (1...2 as ClosedRange<UInt64>).flatMap { number -> [[UInt8]] in
            let secret = Scene.secret(number)
            let hex = secret.map { String(format: "%02x", $0) }.joined()
            let base64 = Data(secret).base64EncodedString().dropLast(2)
            return [secret, Array(hex.utf8), Array(hex.uppercased().utf8), Array(base64.utf8)]
          }
          let hash = try scene.claim(1).terms.secretHash.bytes
          var found: Set<String> = []
          let data = cluster.dataDirectory
          for case let path as String in try #require(FileManager.default.enumerator(atPath: data)) {
            // Some files come and go.
            guard let bytes = try? Data(contentsOf: URL(filePath: "\(data)/\(path)")) else { continue }
            for form in forms { #expect(!contains(bytes, form), "\(path)") }
            // What is searched for could be found.
            if contains(bytes, hash) { found.insert(String(path.prefix(4))) }
          }
          #expect(found == ["base", "pg_w"])
        }
      }
    }
  }
}
