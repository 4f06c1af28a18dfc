import BumpWire
import Crypto
import GRDB

extension Schema {
  /// Something in a store that no bump has made there. It may have been made to have claims vanish.
  struct Unexpected: Error, CustomStringConvertible {
    let description: String
  }

  /// Checks that a file holds the tables and indexes that the migrations make, word for word, and nothing else: no
  /// trigger, no view, no other rule or collation. An empty file passes: it is a store that is still to be made.
  @Sendable static func check(_ database: Database) throws {
    let objects = try objects(in: database)
    guard !objects.isEmpty else { return }
    guard objects["grdb_migrations"]?.type == "table" else { throw Unexpected(description: "is not a store of bump's") }
    let applied = try Set(String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations"))
    guard applied.isSubset(of: migrator.migrations) else {
      throw Unexpected(description: "was written by a newer bump; use that one")
    }
    let known = migrator.migrations.prefix(while: applied.contains)
    guard let last = known.last, known.count == applied.count else {
      throw Unexpected(description: "is not a store of bump's")
    }
    if last == migrator.migrations.last, digest(of: objects) == digest { return try checkPages(of: objects) }
    let expected = try expected(after: last)
    for (name, object) in objects.sorted(by: { $0.key < $1.key }) where !object.isSame(as: expected[name]) {
      throw Unexpected(description: "holds what bump has not made: the \(object.kind) \(VisibleText.of(name))")
    }
    if let missing = expected.keys.filter({ objects[$0] == nil }).min() {
      throw Unexpected(description: "lacks \(missing)")
    }
    try checkPages(of: objects)
  }

  private static func checkPages(of objects: [String: Object]) throws {
    let pages = objects.values.map(\.rootPage)
    guard Set(pages).count == pages.count else { throw Unexpected(description: "is damaged: two tables are one") }
  }

  /// A table or an index, as `sqlite_schema` has it.
  private struct Object {
    let type: String
    let table: String
    let sql: String?
    let rootPage: Int64

    /// What a person calls it: these four are all that SQLite has.
    var kind: String { ["table", "index", "view", "trigger"].contains(type) ? type : "object" }

    func isSame(as other: Object?) -> Bool {
      guard let other else { return false }
      return type == other.type && table == other.table && sql == other.sql
    }
  }

  private static func objects(in database: Database) throws -> [String: Object] {
    let rows = try Row.fetchAll(database, sql: "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema")
    return try rows.reduce(into: [:]) { objects, row in
      let name: String = try row.decode(forColumn: "name")
      guard objects[name] == nil else { throw Unexpected(description: "is damaged: two tables are one") }
      objects[name] = Object(
        type: try row.decode(forColumn: "type"), table: try row.decode(forColumn: "tbl_name"),
        sql: try row.decode(forColumn: "sql"), rootPage: try row.decode(forColumn: "rootpage"))
    }
  }

  /// What all migrations leave, as its digest: to make it anew at each opening takes longer than all else there.
  static let digest = "9fdf4b7da609365aeae455c86a81e81c43317ef48aabe811a2ccfaaadf1763d4"

  /// SHA-256 of a schema, in hexadecimal.
  static func digest(in database: Database) throws -> String { digest(of: try objects(in: database)) }

  private static func digest(of objects: [String: Object]) -> String {
    var hash = SHA256()
    for (name, object) in objects.sorted(by: { $0.key < $1.key }) {
      // SQLite's texts hold no zero.
      for text in [object.type, name, object.table, object.sql ?? ""] { hash.update(data: Array(text.utf8) + [0]) }
    }
    return hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// What the migrations up to this one leave.
  private static func expected(after migration: String) throws -> [String: Object] {
    let queue = try DatabaseQueue()
    try migrator.migrate(queue, upTo: migration)
    return try queue.read(objects(in:))
  }
}
