package import GRDB

/// The tables, indexes, views and triggers of a database by their names, as `sqlite_schema` has them.
package struct SchemaObjects {
  package struct Object {
    package let type: String
    package let table: String
    /// `nil` for an index that belongs to a table.
    package let sql: String?
    fileprivate let rootPage: Int64

    /// What a person calls it: these four are all that SQLite has.
    package var kind: String { ["table", "index", "view", "trigger"].contains(type) ? type : "object" }

    /// Whether another is the same, at whatever page it begins.
    package func isSame(as other: Object?) -> Bool {
      guard let other else { return false }
      return type == other.type && table == other.table && sql == other.sql
    }
  }

  package let byName: [String: Object]
  /// Whether there are two of one name, which SQLite itself never makes.
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

  /// Whether two tables or indexes begin at one page of the file. What is written to one of them is read in the other then,
  /// and an index finds rows that are not its table's, or none. SQLite does not look for that.
  ///
  /// Views and triggers have no page. Two of them count as such too.
  package var areTangled: Bool { hasNamesakes || Set(byName.values.map(\.rootPage)).count < byName.count }
}
