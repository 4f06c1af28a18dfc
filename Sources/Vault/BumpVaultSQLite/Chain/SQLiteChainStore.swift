package import BumpChain
import BumpSQLite
import BumpSystem
import BumpVault
import GRDB
import Glibc

/// The store of a vault on a chain, in an SQLite file of its own with a write-ahead log.
///
/// Every change is on the disk when its call returns, and survives a power cut at that moment. Several processes of one
/// machine may share the file: one writes at a time.
package final class SQLiteChainStore: ChainTables {
  package let vault: DeployedVault
  /// The absolute path of the file.
  package let path: String
  let queue: DatabaseQueue
  private let clock: @Sendable () -> Int64

  private init(_ vault: DeployedVault, path: String, _ queue: DatabaseQueue, _ clock: @escaping @Sendable () -> Int64) {
    (self.vault, self.path, self.queue, self.clock) = (vault, path, queue, clock)
  }

  /// Opens a store. If there is none, makes it: the file with mode 0600, its directory with 0700.
  ///
  /// - Parameter clock: returns the time by which leases end, in seconds since 1970.
  /// - Throws: `ChainStoreError`: `.otherVault` for the store of another contract; `.unusable`, `.damaged`; `.failed` if
  ///   another process holds the file.
  package static func open(
    at path: String, of vault: DeployedVault, clock: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
  ) async throws -> SQLiteChainStore {
    let path = DatabaseFile.absolute(path)
    do {
      let queue = try await onThread {
        let path = try DatabaseFile.prepare(path)
        let queue = try DatabaseQueue(path: path, configuration: .logged(checkpointAfter: 1000))
        try queue.write { try ChainSchema.settle($0, path, vault) }
        try queue.inDatabase { try $0.keepLog() }
        return queue
      }
      return SQLiteChainStore(vault, path: path, queue, clock)
    } catch {
      throw ChainStoreError(storing: error, at: path, opening: true)
    }
  }

  package func run(_ operation: ChainOperation) async throws -> ChainRows {
    do {
      return try await uncancelled { [self] in
        // A write begins by taking the lock, so that no other one comes between its reads and its changes.
        operation.writes
          ? try await queue.write { try self.run(operation, in: $0) }
          : try await queue.read { try self.run(operation, in: $0) }
      }
    } catch {
      throw ChainStoreError(storing: error, at: path)
    }
  }

  private func run(_ operation: ChainOperation, in database: Database) throws -> ChainRows {
    var rows = ChainRows(vault, now: clock())
    var asked: Set<ChainQuery> = []
    while true {
      let questions = try operation.questions(rows, asked: asked)
      if questions.isEmpty { break }
      for question in questions { rows.take(try database.answer(question)) }
      asked.formUnion(questions)
    }
    try operation.change(&rows)
    if operation.writes { try database.write(rows) }
    return rows
  }
}

extension ChainStoreError {
  /// Makes an error for a person from an error of SQLite or the system, without the values of a statement.
  init(storing error: any Error, at path: String, opening isOpening: Bool = false) {
    let store = "the store of the vault on a chain \(path)"
    switch error {
    case let error as ChainStoreError: self = error
    case is DamagedRow, is RowDecodingError:
      self.init(.damaged, "\(store) is damaged: a row in it is not what this program has written")
    default:
      let failure = DatabaseFailure(error, of: store, opening: isOpening)
      self.init(isOpening && !failure.isBusy ? .unusable : .failed, failure.reason, remedy: failure.remedy)
    }
  }
}
