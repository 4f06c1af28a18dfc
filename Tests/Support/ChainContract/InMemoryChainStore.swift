package import BumpChain
import BumpVault
import Synchronization
package import VaultContract

/// A store that keeps nothing, and shows plainly what the others do in SQL. Copies of it share its rows, as two servers
/// share a database.
package final class InMemoryChainStore: ChainTables {
  package let vault: DeployedVault
  private let clock: SetClock
  private let all = Mutex<[StoredChainRow.Place: StoredChainRow]>([:])

  package init(of vault: DeployedVault, clock: SetClock) { (self.vault, self.clock) = (vault, clock) }

  package func run(_ operation: ChainOperation) async throws -> ChainRows {
    try all.withLock { all in
      var rows = ChainRows(vault, now: clock.machine.clock)
      var asked: Set<ChainQuery> = []
      while true {
        let questions = try operation.questions(rows, asked: asked)
        if questions.isEmpty { break }
        for question in questions { rows.take(question.answer(from: all.values)) }
        asked.formUnion(questions)
      }
      try operation.change(&rows)
      if rows.forgetsIndex { all = all.filter { ![.headers, .events].contains($0.key.table) } }
      let changes = rows.changes
      for place in changes.deleted { all[place] = nil }
      for row in changes.written { all[row.place] = row }
      return rows
    }
  }
}

extension ChainQuery {
  fileprivate func answer(from all: some Sequence<StoredChainRow>) -> [StoredChainRow] {
    func before(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
    func rows(of table: ChainTable, _ isMeant: (StoredChainRow) -> Bool) -> [StoredChainRow] {
      all.filter { $0.place.table == table && isMeant($0) }.sorted { before($0.place.key, $1.place.key) }
    }
    switch self {
    case .key(let table, let key): return rows(of: table) { $0.place.key == key }
    case .range(let table, let least, let end, let limit, let isDescending):
      let found = rows(of: table) { !before($0.place.key, least) && before($0.place.key, end) }
      return Array((isDescending ? found.reversed() : found).prefix(limit))
    case .first(let table, let bytes): return rows(of: table) { $0.first == bytes }
    case .second(let table, let bytes, let end, let limit):
      return Array(rows(of: table) { $0.second == bytes && before($0.place.key, end) }.reversed().prefix(limit))
    case .number(let table, let end, let limit):
      let found = rows(of: table) { row in row.number.map { $0 < end } ?? false }
      return Array(found.sorted { ($0.number ?? 0) < ($1.number ?? 0) }.prefix(limit))
    }
  }
}
