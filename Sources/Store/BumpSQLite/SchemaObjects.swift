package import GRDB

/// The tables, indexes, views and triggers of a database by their names, from `sqlite_schema`.
package struct SchemaObjects {
  /// A table, index, view or trigger: a row of `sqlite_schema` without its name.
  package struct Object {
    package let type: String
    /// The name of the table or view to which the object belongs.
    package let table: String
    /// The SQL that made the object; `nil` for an index that belongs to a table's definition.
    package let sql: String?
    fileprivate let rootPage: Int64

    /// The kind, for a message: these four are all that SQLite has.
    package var kind: String { ["table", "index", "view", "trigger"].contains(type) ? type : "object" }

    /// Returns whether another object is the same, at whatever page it begins.
    package func isSame(as other: Object?) -> Bool {
      guard let other else { return false }
      return type == other.type && table == other.table && sql == other.sql
    }
  }

  package let byName: [String: Object]
  /// Whether two objects have the same name. SQLite itself never makes such a schema.
  private let hasNamesakes: Bool

  package init(of database: Database) throws {
    let rows = try Row.fetchAll(database, sql: "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema")
    byName = try rows.reduce(into: [:]) { objects, row in
      let name: String = try row.decode(forColumn: "name")
      objects[name] = Object(
        type: try row.decode(forColumn: "type"), table: try row.decode(forColumn: "tbl_name"),
        sql: try row.decode(forColumn: "sql"), rootPage: try row.decode(forColumn: "rootpage"))
    }
    hasNamesakes = byName.count < rows.count
  }

  /// Returns whether a database contains what this makes in an empty one, each table and index at pages of its own, and
  /// nothing else.
  package func areAll(madeBy make: (Database) throws -> Void) throws -> Bool {
    let expected = try DatabaseQueue().inDatabase { database in
      try make(database)
      return try SchemaObjects(of: database).byName
    }
    return byName.count == expected.count && byName.allSatisfy { $0.value.isSame(as: expected[$0.key]) } && !areTangled
  }

  /// Whether two tables or indexes begin at the same page of the file. A write to one of them then changes the other,
  /// and an index finds rows that are not its table's, or none. SQLite does not check for that.
  ///
  /// Views and triggers have no page. Two of them count as being at the same page.
  package var areTangled: Bool { hasNamesakes || Set(byName.values.map(\.rootPage)).count < byName.count }
}
