import BumpPostgres

/// The reason why a schema, or its server, cannot be a store's.
struct SchemaRefusal: Error {
  let reason: String
  let remedy: String
}

/// A schema of which this program knows one version. The schema's table `version` has one row, with that and the shape
/// that the schema had when it was made.
struct SchemaVersion: Sendable {
  let name: String
  /// What the schema is, such as "a store of accounts".
  let store: String
  let number: Int64
  let creation: StaticString
  /// Reads the row, with `number` and `shape`.
  let reading: PostgresStatement

  /// Checks the schema, and makes it if there is none.
  ///
  /// - Returns: the row of its version; `nil` if the tables are to be made.
  /// - Throws: `SchemaRefusal`, `PostgresError`.
  func settle(_ transaction: PostgresTransaction) async throws -> PostgresRow? {
    let found = try await transaction.run(SchemaShape.statement, .text(name)).first
    guard let found, try found.value("exists") else {
      try await transaction.run(script: creation)
      return nil
    }
    // An empty schema is for a user who must not make one.
    guard try found.value("has_objects") else { return nil }
    guard try found.value("has_version") else { throw foreign }
    let rows = try await transaction.run(reading)
    guard rows.count == 1, let row = rows.first, try row.value("number", as: Int64.self) == number else {
      throw foreign
    }
    guard try row.value("shape", as: String.self) == found.value("shape") else {
      throw SchemaRefusal(
        reason: "something was made, changed or removed in its schema \(name)",
        remedy: "Undo that. Keep tables and triggers of others in another schema")
    }
    return row
  }

  private var foreign: SchemaRefusal {
    SchemaRefusal(
      reason: "its schema \(name) is not \(store), or another version's",
      remedy: "Name another database, or remove that schema")
  }
}
