import BumpClaims
import BumpSQLite
import BumpText
import Crypto
import GRDB

extension Schema {
  /// The error for something in a store that bump did not make. It may be there to make claims disappear.
  struct Unexpected: Error, CustomStringConvertible {
    let description: String
    var remedy: String?
  }

  /// Checks that a file has exactly the tables and indexes that the migrations make, word for word: no trigger, no
  /// view, no other constraint or collation. A store that is not made yet passes: an empty file, or one whose first
  /// start was interrupted.
  @Sendable static func check(_ database: Database) throws {
    let schema = try SchemaObjects(of: database)
    let objects = schema.byName
    guard !objects.isEmpty else { return }
    guard objects["grdb_migrations"]?.type == "table" else { throw Unexpected(description: "is not a store of bump's") }
    let applied = try Set(String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations"))
    guard applied.isSubset(of: migrator.migrations) else {
      throw Unexpected(description: "was written by a newer bump", remedy: "Use that one")
    }
    let known = migrator.migrations.prefix(while: applied.contains)
    guard known.count == applied.count else { throw Unexpected(description: "is not a store of bump's") }
    if known.last == migrator.migrations.last, digest(of: objects) == digest { return try checkPages(of: schema) }
    let expected = try expected(after: known.last)
    // GRDB commits its own table before the first migration, so a first start that was interrupted may leave only that
    // table.
    guard !known.isEmpty || digest(of: objects) == digest(of: expected) else {
      throw Unexpected(description: "is not a store of bump's")
    }
    let sorted = objects.sorted { $0.key < $1.key }
    // An index without SQL belongs to a table: it is dropped with the table, and cannot be dropped alone.
    for (name, object) in sorted where expected[name] == nil && object.sql != nil { throw foreign(name, object) }
    for (name, object) in sorted where !object.isSame(as: expected[name]) {
      throw Unexpected(
        description: "holds what bump has not made: the \(object.kind) \(VisibleText.of(name))", remedy: restore)
    }
    if let missing = expected.keys.filter({ objects[$0] == nil }).min() {
      throw Unexpected(description: "lacks \(missing)", remedy: restore)
    }
    try checkPages(of: schema)
  }

  private static let restore = "Restore a backup"

  /// Returns the error for a foreign object, with the statement that drops it.
  private static func foreign(_ name: String, _ object: SchemaObjects.Object) -> Unexpected {
    let shown = VisibleText.of(name)
    let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
    // A name that is escaped in the message cannot be typed as shown.
    let statement = shown == name ? ": DROP \(object.type.uppercased()) \(quoted)" : ""
    return Unexpected(
      description: "holds what bump has not made: the \(object.kind) \(shown)",
      remedy: "If you have added it, drop it with sqlite3\(statement). If not, restore a backup")
  }

  private static func checkPages(of objects: SchemaObjects) throws {
    if objects.areTangled { throw Unexpected(description: "is damaged: two tables are one", remedy: restore) }
  }

  /// The digest of the schema after all migrations. Making that schema at each opening would take longer than
  /// everything else there.
  static let digest = "87426523e1da359ba58652c89e3621f3020be08ae37cfa2e0dc81ed30b1aeeef"

  /// SHA-256 of a schema, in hexadecimal.
  static func digest(in database: Database) throws -> String { digest(of: try SchemaObjects(of: database).byName) }

  private static func digest(of objects: [String: SchemaObjects.Object]) -> String {
    var hash = SHA256()
    for (name, object) in objects.sorted(by: { $0.key < $1.key }) {
      // SQLite's texts contain no zero byte.
      for text in [object.type, name, object.table, object.sql ?? ""] { hash.update(data: Array(text.utf8) + [0]) }
    }
    return Hex.text(Array(hash.finalize()))
  }

  /// Returns the objects after the migrations up to this one; for `nil`, those that GRDB makes before the first
  /// migration.
  private static func expected(after migration: String?) throws -> [String: SchemaObjects.Object] {
    let queue = try DatabaseQueue()
    try migrator.migrate(queue, upTo: migration ?? migrator.migrations[0])
    let objects = try queue.read { try SchemaObjects(of: $0).byName }
    return migration == nil ? objects.filter { $0.value.table == "grdb_migrations" } : objects
  }
}
