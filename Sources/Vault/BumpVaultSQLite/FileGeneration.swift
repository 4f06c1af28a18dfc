import BumpSQLite
import GRDB

/// The generation of a store's file: a number in its header that grows before the log is copied to the file.
///
/// A log fits only to the file that it was begun for. SQLite does not check that: it would read a backup together with
/// the log that a killed server left beside it, as if both were one store. So the mark beside the store says which
/// generation the file has reached without its log, and an older file is recognized.
enum FileGeneration {
  /// Returns the generation of a file without its log.
  static func read(of path: String) throws -> Int64 {
    try DatabaseQueue(path: VaultFile.immutable(path), configuration: .readOnly).read(current)
  }

  /// Begins the next generation, within the caller's transaction, and returns it. The file has it once the log is
  /// copied to it.
  static func advance(in database: Database) throws -> Int64 {
    let next = try current(of: database) + 1
    try database.execute(sql: "PRAGMA application_id = \(next)")
    return next
  }

  private static func current(of database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
  }
}
