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

  /// Checks that a file has exactly the tables and indexes that bump makes, word for word: no trigger, no view, no other
  /// constraint or collation. A store that is not made yet passes: an empty file, or one whose first start was
  /// interrupted.
  @Sendable static func check(_ database: Database) throws {
    let schema = try SchemaObjects(of: database)
    let objects = schema.byName
    guard !objects.isEmpty else { return }
    guard objects["grdb_migrations"]?.type == "table" else { throw notOurs }
    let applied = try Set(String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations"))
    // GRDB commits its own table before the first migration, so a first start that was interrupted may leave only that
    // table.
    if applied.isEmpty {
      guard try digest(of: objects) == digest(of: expected().filter { $0.value.table == "grdb_migrations" }) else {
        throw notOurs
      }
      return try checkPages(of: schema)
    }
    guard applied.contains(tables) else {
      throw ["outgoing", "incoming", "room"].allSatisfy { objects[$0] != nil } ? ofDevelopmentBuild : notOurs
    }
    guard applied.count == 1 else {
      throw Unexpected(description: "was written by a newer bump", remedy: "Use that one")
    }
    if digest(of: objects) == digest { return try checkPages(of: schema) }
    let expected = try expected()
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
  private static let notOurs = Unexpected(description: "is not a store of bump's")
  /// The error for a store with other tables, which bump made before its first release.
  private static let ofDevelopmentBuild = Unexpected(
    description: "was made by a development build of bump",
    remedy: "Redeem or note its claims with that build, then name another store with --store or BUMP_STORE")

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

  /// The digest of the schema of a new store. Making that schema at each opening would take longer than
  /// everything else there.
  static let digest = "5eb5857f0ba822f931943a0a66cbec59bfe55211cdd29580db6539c30a360187"

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

  /// Returns the objects of a new store.
  private static func expected() throws -> [String: SchemaObjects.Object] {
    let queue = try DatabaseQueue()
    try migrator.migrate(queue)
    return try queue.read { try SchemaObjects(of: $0).byName }
  }
}
