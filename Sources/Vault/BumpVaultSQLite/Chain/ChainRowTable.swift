import BumpChain
import BumpVault
import FoundationEssentials
import GRDB

/// The statements that read rows of a vault on a chain. Without statistics SQLite would read all rows of a kind, rather than
/// use an index that does not contain their bodies.
enum ChainSelection {
  private static let columns = "SELECT kind, key, first, second, number, body FROM rows"
  static let key = "\(columns) WHERE kind = ? AND key = ?"
  static let range = "\(columns) WHERE kind = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?"
  static let rangeDown = "\(columns) WHERE kind = ? AND key >= ? AND key < ? ORDER BY key DESC LIMIT ?"
  static let first = "\(columns) INDEXED BY rowsByFirst WHERE kind = ? AND first = ?"
  static let second =
    "\(columns) INDEXED BY rowsBySecond WHERE kind = ? AND second = ? AND key < ? ORDER BY key DESC LIMIT ?"
  static let number = "\(columns) INDEXED BY rowsByNumber WHERE kind = ? AND number < ? ORDER BY number LIMIT ?"
}

/// The statements on the rows of a vault on a chain.
extension Database {
  func answer(_ query: ChainQuery) throws -> [StoredChainRow] {
    switch query {
    case .key(let table, let key): try rows(ChainSelection.key, [table.rawValue, Data(key)])
    case .range(let table, let least, let end, let limit, let isDescending):
      try rows(
        isDescending ? ChainSelection.rangeDown : ChainSelection.range,
        [table.rawValue, Data(least), Data(end), limit])
    case .first(let table, let bytes): try rows(ChainSelection.first, [table.rawValue, Data(bytes)])
    case .second(let table, let bytes, let end, let limit):
      try rows(ChainSelection.second, [table.rawValue, Data(bytes), Data(end), limit])
    case .number(let table, let end, let limit): try rows(ChainSelection.number, [table.rawValue, end, limit])
    }
  }

  private func rows(_ selection: String, _ values: StatementArguments) throws -> [StoredChainRow] {
    try Row.fetchAll(cachedStatement(sql: selection), arguments: values).map { row in
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
