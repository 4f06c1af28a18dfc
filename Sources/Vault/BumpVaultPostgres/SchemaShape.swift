import BumpPostgres
import BumpVault

/// The contents of a schema, by which a store recognizes that somebody has made, changed or removed something in it.
enum SchemaShape {
  /// Returns the shape of a schema that there is.
  static func of(_ schema: String, in transaction: PostgresTransaction) async throws -> String {
    guard let found = try await transaction.run(statement, .text(schema)).first else { throw DamagedRow() }
    return try found.value("shape")
  }

  /// Describes the contents of a schema by names, types and flags. The texts of expressions may differ from one
  /// version of PostgreSQL to the next.
  static let statement = PostgresStatement(
    "vault_shape", .text,
    sql: """
      WITH here AS (SELECT to_regnamespace($1)::oid AS schema),
      relations AS (SELECT pg_class.* FROM pg_class, here WHERE relnamespace = here.schema),
      lines AS (
        SELECT concat_ws(' ', 'relation', relname, relkind, relpersistence, relrowsecurity, relhasrules) AS line
          FROM relations
        UNION ALL
        SELECT concat_ws(
            ' ', 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull, atthasdef, attidentity)
          FROM pg_attribute JOIN relations ON attrelid = relations.oid
          WHERE attnum > 0 AND NOT attisdropped AND relkind IN ('r', 'v')
        UNION ALL
        SELECT concat_ws(' ', 'constraint', relname, conname, contype, convalidated, conkey)
          FROM pg_constraint JOIN relations ON conrelid = relations.oid WHERE contype IN ('c', 'f', 'p', 'u', 'x')
        UNION ALL
        SELECT concat_ws(' ', 'index', relname, indisunique, indisvalid, indkey, indpred IS NULL)
          FROM pg_index JOIN relations ON indexrelid = relations.oid
        UNION ALL
        SELECT concat_ws(' ', 'trigger', relname, tgname)
          FROM pg_trigger JOIN relations ON tgrelid = relations.oid WHERE NOT tgisinternal
        UNION ALL
        SELECT concat_ws(' ', 'rule', relname, rulename) FROM pg_rewrite JOIN relations ON ev_class = relations.oid
        UNION ALL
        SELECT concat_ws(' ', 'function', proname) FROM pg_proc, here WHERE pronamespace = here.schema
      )
      SELECT here.schema IS NOT NULL AS exists, EXISTS (SELECT FROM lines) AS has_objects,
        EXISTS (SELECT FROM relations WHERE relname = 'version') AS has_version,
        encode(
          sha256(convert_to(coalesce((SELECT string_agg(line, ';' ORDER BY line COLLATE "C") FROM lines), ''), 'UTF8')),
          'hex') AS shape
      FROM here
      """)
}
