import BumpChain
import BumpVault
import FoundationEssentials
import GRDB

/// The statements on the rows of a vault on a chain.
extension Database {
  func answer(_ query: ChainQuery) throws -> [StoredChainRow] {
    switch query {
    case .key(let table, let key):
      try rows("kind = ? AND key = ?", [table.rawValue, Data(key)])
    case .range(let table, let least, let end, let limit, let isDescending):
      try rows(
        "kind = ? AND key >= ? AND key < ? ORDER BY key \(isDescending ? "DESC" : "ASC") LIMIT ?",
        [table.rawValue, Data(least), Data(end), limit])
    case .first(let table, let bytes):
      try rows("kind = ? AND first = ?", [table.rawValue, Data(bytes)])
    case .second(let table, let bytes, let end, let limit):
      try rows(
        "kind = ? AND second = ? AND key < ? ORDER BY key DESC LIMIT ?",
        [table.rawValue, Data(bytes), Data(end), limit])
    case .number(let table, let end, let limit):
      try rows("kind = ? AND number < ? ORDER BY number LIMIT ?", [table.rawValue, end, limit])
    }
  }

  private func rows(_ condition: String, _ values: StatementArguments) throws -> [StoredChainRow] {
    let statement = try cachedStatement(
      sql: "SELECT kind, key, first, second, number, body FROM rows WHERE \(condition)")
    return try Row.fetchAll(statement, arguments: values).map { row in
      guard let table = ChainTable(rawValue: try row.decode(forColumn: "kind")) else { throw DamagedRow() }
      return StoredChainRow(
        table, key: try row.bytes("key"), first: try row["first"] == nil ? nil : row.bytes("first"),
        second: try row["second"] == nil ? nil : row.bytes("second"),
        number: try row["number"] == nil ? nil : row.integer("number"), body: try row.bytes("body"))
    }
  }

  /// Writes what an operation has changed.
  func write(_ rows: ChainRows) throws {
    if rows.forgetsIndex { try execute(sql: "DELETE FROM rows WHERE kind IN ('headers', 'events')") }
    let changes = rows.changes
    let delete = try cachedStatement(sql: "DELETE FROM rows WHERE kind = ? AND key = ?")
    for place in changes.deleted { try delete.execute(arguments: [place.table.rawValue, Data(place.key)]) }
    let insert = try cachedStatement(
      sql: """
        INSERT INTO rows (kind, key, first, second, number, body) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (kind, key)
        DO UPDATE SET first = excluded.first, second = excluded.second, number = excluded.number, body = excluded.body
        """)
    for row in changes.written {
      try insert.execute(arguments: [
        row.place.table.rawValue, Data(row.place.key), row.first.map { Data($0) }, row.second.map { Data($0) },
        row.number, Data(row.body),
      ])
    }
  }
}
