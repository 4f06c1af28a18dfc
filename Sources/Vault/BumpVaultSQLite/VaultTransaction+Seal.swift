import BumpVault
import FoundationEssentials
import GRDB

extension VaultTransaction {
  /// Seals the entries that are not sealed yet. This transaction holds the lock, so no other process seals them
  /// meanwhile.
  func seal(limit: Int) throws -> Batch? {
    let reading = VaultReading(database: database, time: time)
    let entries = try reading.unsealed(limit: limit)
    guard let last = entries.last else { return nil }
    let batch = Batch(after: try reading.lastBatch(), at: now, entries: entries.map(\.hash))
    try database.execute(
      sql: "INSERT INTO batches (number, previous, time, hash) VALUES (?, ?, ?, ?)",
      arguments: [batch.number, batch.previous.blob, batch.time, batch.hash.blob])
    try database.execute(
      sql: "UPDATE journal SET batch = ? WHERE batch IS NULL AND number <= ?", arguments: [batch.number, last.number])
    guard database.changesCount == entries.count else { throw DamagedRow() }
    return batch
  }
}
