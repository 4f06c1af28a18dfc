import BumpPostgres

/// The server's settings without which a power cut can undo a commit, or leave it torn (PostgreSQL's documentation,
/// §19.5.1).
enum Durability {
  /// Checks that the settings are on for this connection, wherever they are set.
  ///
  /// - Throws: `SchemaRefusal`; `PostgresError`.
  static func check(_ transaction: PostgresTransaction) async throws {
    let off = try await transaction.run(settings).map { row in
      try "\(row.value("name", as: String.self)) is off (set by: \(row.value("source", as: String.self)))"
    }
    guard !off.isEmpty else { return }
    throw SchemaRefusal(
      reason: "a power cut could take back what was committed: \(off.joined(separator: ", "))",
      remedy: "Set it to on where it is set: in postgresql.conf, or by ALTER SYSTEM, ALTER DATABASE or ALTER ROLE")
  }

  private static let settings = PostgresStatement(
    "vault_durability",
    sql: """
      SELECT name, source FROM pg_settings
      WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off' ORDER BY name
      """)
}
