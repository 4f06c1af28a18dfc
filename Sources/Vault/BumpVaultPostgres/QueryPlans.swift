import BumpPostgres

/// How the vault's statements get the same plans whatever the database's statistics say.
///
/// A young vault has none, or those of a moment when all claims were drafts. A planner that believes them takes a
/// partial index for a nearly empty one, and reads all of it for each claim; or it takes a table for a small one, and
/// the plan stays, since a prepared statement keeps it.
///
/// So tables are read by their indexes and joined row by row. And where a row is found by its key, its status is
/// compared as `status || ''`: of that the planner cannot tell that a partial index contains the row. In a join with a
/// table that seems empty, reading all of its index costs as much as looking for a key: there the key is a condition on the
/// table alone, as in `= ANY (ARRAY(…))`, or in a LATERAL query, which LIMIT keeps apart.
///
/// A statement is planned once for a connection, whatever its values are. By itself PostgreSQL would plan most of them
/// anew each time, since it expects more values than there are in an array, and that takes longer than to run them. And
/// where a join looks for rows by an array of keys, a bitmap is made of all of them for each row of the other side.
///
/// A table of one row has no index, and reading it where that is off counts as so dear that PostgreSQL would compile
/// the statement first (JIT), for half a second on each connection.
enum QueryPlans {
  static let settings = [
    "enable_seqscan": "off", "enable_bitmapscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off",
    "jit": "off", "plan_cache_mode": "force_generic_plan",
  ]
}

extension PostgresConfiguration {
  /// The configuration for the vault's statements.
  var planned: PostgresConfiguration {
    var configuration = self
    configuration.settings.merge(QueryPlans.settings) { given, _ in given }
    return configuration
  }
}
