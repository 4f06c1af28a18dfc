import BumpChain
import BumpPostgres
import BumpVault

/// Reads and writes the rows of a vault on a chain within a transaction.
struct ChainRowTable {
  let transaction: PostgresTransaction

  /// Waits until no other transaction writes, and returns the database's time, in seconds since 1970. Each statement
  /// behind the lock reads what its last holder has committed.
  func lock() async throws -> Int64 { try await time(Self.lockStatement) }

  /// Returns the database's time, in seconds since 1970.
  func time() async throws -> Int64 { try await time(Self.timeStatement) }

  private func time(_ statement: PostgresStatement) async throws -> Int64 {
    guard let row = try await transaction.run(statement).first else { throw DamagedRow() }
    return try row.value("now")
  }

  func answer(_ query: ChainQuery) async throws -> [StoredChainRow] {
    let found: PostgresRows
    switch query {
    case .key(let table, let key): found = try await transaction.run(Self.key, .text(table.rawValue), .bytea(key))
    case .range(let table, let least, let end, let limit, let isDescending):
      found = try await transaction.run(
        isDescending ? Self.rangeDown : Self.range, .text(table.rawValue), .bytea(least), .bytea(end),
        .int8(Int64(limit)))
    case .first(let table, let bytes):
      found = try await transaction.run(Self.first, .text(table.rawValue), .bytea(bytes))
    case .second(let table, let bytes, let end, let limit):
      found = try await transaction.run(
        Self.second, .text(table.rawValue), .bytea(bytes), .bytea(end), .int8(Int64(limit)))
    case .number(let table, let end, let limit):
      found = try await transaction.run(Self.number, .text(table.rawValue), .int8(end), .int8(Int64(limit)))
    }
    return try found.map { row in
      guard let table = ChainTable(rawValue: try row.value("kind")) else { throw DamagedRow() }
      return StoredChainRow(
        table, key: try row.value("key"), first: try row.optional("first"), second: try row.optional("second"),
        number: try row.optional("number"), body: try row.value("body"))
    }
  }

  /// Writes what an operation has changed.
  func write(_ rows: ChainRows) async throws {
    if rows.forgetsIndex { try await transaction.run(Self.forget) }
    let changes = rows.changes
    for place in changes.deleted {
      try await transaction.run(Self.delete, .text(place.table.rawValue), .bytea(place.key))
    }
    for row in changes.written {
      try await transaction.run(
        Self.insert, .text(row.place.table.rawValue), .bytea(row.place.key), row.first.map { .bytea($0) } ?? .null,
        row.second.map { .bytea($0) } ?? .null, row.number.map { .int8($0) } ?? .null, .bytea(row.body))
    }
  }
}

/// The statements.
extension ChainRowTable {
  /// The number is `bumc` in ASCII. Commits are durable whatever the server's default is.
  private static let lockStatement = PostgresStatement(
    "chain_lock",
    sql: """
      SELECT pg_advisory_xact_lock(x'62756d63'::int8),
        CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END,
        floor(extract(epoch FROM clock_timestamp()))::int8 AS now
      """)
  private static let timeStatement = PostgresStatement(
    "chain_time", sql: "SELECT floor(extract(epoch FROM clock_timestamp()))::int8 AS now")

  private static let key = PostgresStatement(
    "chain_key", .text, .bytea, sql: "SELECT * FROM bump_chain.rows WHERE kind = $1 AND key = $2")
  private static let range = PostgresStatement(
    "chain_range", .text, .bytea, .bytea, .int8,
    sql: "SELECT * FROM bump_chain.rows WHERE kind = $1 AND key >= $2 AND key < $3 ORDER BY key LIMIT $4")
  private static let rangeDown = PostgresStatement(
    "chain_range_down", .text, .bytea, .bytea, .int8,
    sql: "SELECT * FROM bump_chain.rows WHERE kind = $1 AND key >= $2 AND key < $3 ORDER BY key DESC LIMIT $4")
  private static let first = PostgresStatement(
    "chain_first", .text, .bytea, sql: "SELECT * FROM bump_chain.rows WHERE kind = $1 AND first = $2")
  private static let second = PostgresStatement(
    "chain_second", .text, .bytea, .bytea, .int8,
    sql: """
      SELECT * FROM bump_chain.rows WHERE kind = $1 AND second = $2 AND key < $3
      ORDER BY second DESC, key DESC LIMIT $4
      """)
  private static let number = PostgresStatement(
    "chain_number", .text, .int8, .int8,
    sql: "SELECT * FROM bump_chain.rows WHERE kind = $1 AND number < $2 ORDER BY number LIMIT $3")

  private static let forget = PostgresStatement(
    "chain_forget", sql: "DELETE FROM bump_chain.rows WHERE kind IN ('headers', 'events')")
  private static let delete = PostgresStatement(
    "chain_delete", .text, .bytea, sql: "DELETE FROM bump_chain.rows WHERE kind = $1 AND key = $2")
  private static let insert = PostgresStatement(
    "chain_insert", .text, .bytea, .bytea, .bytea, .int8, .bytea,
    sql: """
      INSERT INTO bump_chain.rows (kind, key, first, second, number, body) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (kind, key) DO UPDATE SET first = $3, second = $4, number = $5, body = $6
      """)
}
