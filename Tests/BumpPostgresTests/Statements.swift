import BumpPostgres

/// Statements that several suites run.
enum Statements {
  static let one = PostgresStatement("one", sql: "SELECT 1::int8 AS one")
  static let own = PostgresStatement("own", sql: "SELECT pg_backend_pid()::int8 AS process")
  static let sleep = PostgresStatement("sleep", .text, sql: "SELECT pg_sleep(600), $1::text")
  /// The processes that wait or sleep in a statement with a text.
  static let waiting = PostgresStatement(
    "waiting", .text, .text,
    sql: """
      SELECT pid::int8 AS process FROM pg_stat_activity
      WHERE state = 'active' AND wait_event IS NOT NULL AND position($1 IN query) > 0 AND pid <> pg_backend_pid()
        AND ($2 IS NULL OR wait_event = $2)
      """)
  static let lock = PostgresStatement("lock", .int8, sql: "SELECT pg_advisory_xact_lock($1)")
}
