import BumpClaims
import BumpWire
import Foundation
import GRDB
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  /// A store that somebody made to have claims vanish, or to run what its schema says.
  @Suite struct Crafted {
    /// A table made anew, with a change to its text.
    private static func remade(_ table: String, _ old: String, _ new: String) -> String {
      """
      CREATE TABLE kept AS SELECT * FROM \(table);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)') WHERE name = '\(table)'
      """
    }

    static let crafts = [
      "a trigger": "CREATE TRIGGER gone AFTER INSERT ON incoming BEGIN DELETE FROM incoming; END",
      "a trigger on claims of ours": "CREATE TRIGGER gone BEFORE UPDATE ON outgoing BEGIN SELECT RAISE(IGNORE); END",
      "a view in place of a table": """
      DROP TABLE incoming;
      CREATE VIEW incoming AS SELECT x'00' payloadHash, 'x' claimId, zeroblob(16) secret, 'USDC' token, 1 amount,
        1 expiry, NULL sender, 1 receivedAt WHERE 0;
      CREATE TRIGGER take INSTEAD OF INSERT ON incoming BEGIN SELECT 1; END
      """,
      "a view beside the tables": "CREATE VIEW more AS SELECT secret FROM incoming",
      "a generated column": "ALTER TABLE incoming ADD COLUMN twice INTEGER AS (amount * 2)",
      "a rule that takes the place of another": """
      CREATE UNIQUE INDEX one ON incoming (token); DROP INDEX incomingByClaimId
      """,
      "an index over an expression": "CREATE INDEX costly ON incoming (hex(secret))",
      "another table": "CREATE TABLE more (x)",
      "rows that give way to others": remade("incoming", "PRIMARY KEY,", "PRIMARY KEY ON CONFLICT IGNORE,"),
      "a CHECK that never holds": remade("incoming", "CHECK (amount > 0)", "CHECK (amount > 0 AND 0)"),
      "a collation": remade("incoming", "claimId TEXT NOT NULL", "claimId TEXT NOT NULL COLLATE NOCASE"),
      "a table that takes any type": remade("incoming", ") STRICT", ")"),
      "a missing index": "DROP INDEX incomingByClaimId", "a missing table": "DROP TABLE keys",
      "two tables in one place": """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'room')
        WHERE name = 'incoming'
      """,
      "a table of migrations that takes none": """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'PRIMARY KEY', 'PRIMARY KEY ON CONFLICT IGNORE')
        WHERE name = 'grdb_migrations'
      """,
      "no migrations": "DELETE FROM grdb_migrations",
      "another migration": "UPDATE grdb_migrations SET identifier = 'v99'",
      "a newer bump's migration": "INSERT INTO grdb_migrations VALUES ('v99')",
    ]

    @Test(arguments: crafts)
    func `a crafted store is refused in one sentence, and left as it is`(craft: (key: String, value: String))
      async throws
    {
      let place = try TemporaryDirectory()
      let store = try await ClaimStore.open(at: place.store)
      _ = try await create(store)
      _ = try await store.store(received(claim()), at: 2)
      try place.tamperWithStore(craft.value)
      let before = try Data(contentsOf: URL(filePath: place.store))
      let errors = [
        await #expect(throws: StoreError.self, "\(craft.key)") { try await ClaimStore.open(at: place.store) },
        await #expect(throws: StoreError.self, "\(craft.key)") {
          try await ClaimStore.openForReading(at: place.store)
        },
      ]
      for error in errors {
        let text = error?.description ?? ""
        #expect(
          error?.code == .unusable && text.contains(place.store) && !text.contains("\n"), "\(craft.key): \(text)")
      }
      #expect(errors[0]?.description == errors[1]?.description, "\(craft.key)")
      #expect(try Data(contentsOf: URL(filePath: place.store)) == before, "\(craft.key)")
    }

    private static let migrations = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

    /// A first start that was interrupted leaves the table of migrations without a row, and nothing else.
    @Test(arguments: [
      "another table": migrations + "; CREATE TABLE more (x)", "a view": migrations + "; CREATE VIEW v AS SELECT 1",
      "a trigger": migrations
        + "; CREATE TRIGGER gone AFTER INSERT ON grdb_migrations BEGIN DELETE FROM grdb_migrations; END",
      "an index": migrations + "; CREATE INDEX i ON grdb_migrations (hex(identifier))",
      "the tables too":
        migrations + "; CREATE TABLE incoming (x); CREATE TABLE outgoing (x); CREATE TABLE room (x)",
      "another rule": "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY ON CONFLICT IGNORE)",
      "another column": "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY, x TEXT)",
      "no rules": "CREATE TABLE grdb_migrations (identifier)",
      "a view of migrations": "CREATE VIEW grdb_migrations AS SELECT 'tables' identifier WHERE 0",
      "another program's migrations":
        "\(migrations); INSERT INTO grdb_migrations VALUES ('v1'); CREATE TABLE outgoing (x)",
    ])
    func `a new store in which somebody made something is refused, and left as it is`(what: String, sql: String)
      async throws
    {
      let place = try TemporaryDirectory()
      try place.tamperWithStore(sql)
      let before = try Data(contentsOf: URL(filePath: place.store))
      for error in [
        await #expect(throws: StoreError.self, "\(what)") { try await ClaimStore.open(at: place.store) },
        await #expect(throws: StoreError.self, "\(what)") { try await ClaimStore.openForReading(at: place.store) },
      ] {
        #expect(error?.description.contains("is not a store of bump's") == true, "\(what): \(error?.description ?? "")")
      }
      #expect(try Data(contentsOf: URL(filePath: place.store)) == before, "\(what)")
    }

    @Test(arguments: [
      "CREATE INDEX byToken ON incoming (token)", "CREATE TABLE notes (text TEXT PRIMARY KEY) STRICT",
      "CREATE TABLE \"my \"\"notes\"\"\" (x)", "CREATE VIEW more AS SELECT claimId FROM incoming",
      "CREATE TRIGGER gone AFTER INSERT ON incoming BEGIN DELETE FROM incoming; END",
      "ANALYZE", "CREATE TABLE a (x); CREATE INDEX b ON a (x)",
    ])
    func `a store with more in it than bump makes is refused with the statement that mends it`(addition: String)
      async throws
    {
      let place = try TemporaryDirectory()
      _ = try await create(try await ClaimStore.open(at: place.store))
      try place.tamperWithStore(addition)
      let error = await #expect(throws: StoreError.self) { try await ClaimStore.open(at: place.store) }
      let remedy = try #require(error?.remedy)
      let statement = try #require(remedy.firstMatch(of: /drop it with sqlite3: (DROP .*)\. If not, restore/)).1
      try place.tamperWithStore(String(statement))
      _ = try await ClaimStore.open(at: place.store)
    }

    @Test func `the digest of the schema is that of a new store`() throws {
      let queue = try DatabaseQueue()
      try Schema.migrator.migrate(queue)
      #expect(try queue.read(Schema.digest(in:)) == Schema.digest)
    }

    @Test func `the name of what is not bump's is shown escaped`() async throws {
      let place = try TemporaryDirectory()
      _ = try await ClaimStore.open(at: place.store)
      try place.tamperWithStore("CREATE TABLE \"\u{1B}[2Jempty\" (x)")
      let error = await #expect(throws: StoreError.self) { try await ClaimStore.open(at: place.store) }
      #expect(error?.description.contains("\\u{1b}[2Jempty") == true, "\(error?.description ?? "")")
    }

    /// A trigger that came after the opening, as a second process could make it.
    @Test func `what is not there after it was stored is an error, and no claim is called stored`() async throws {
      let place = try TemporaryDirectory()
      let store = try await ClaimStore.open(at: place.store)
      for action in ["DELETE FROM incoming", "UPDATE incoming SET secret = zeroblob(16)"] {
        try place.tamperWithStore("CREATE TRIGGER gone AFTER INSERT ON incoming BEGIN \(action); END")
        let error = await #expect(throws: StoreError.self) { try await store.store(received(claim()), at: 2) }
        #expect(error?.code == .notAsWritten && error?.description.contains("not what is read") == true)
        try place.tamperWithStore("DROP TRIGGER gone")
        #expect(try await store.incoming(claim().id) == [])
      }
      #expect(try await store.store(received(claim()), at: 2) == .stored)
    }
  }
}
