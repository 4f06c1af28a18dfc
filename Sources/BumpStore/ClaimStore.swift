import BumpClaims
import BumpSQLite
import BumpThreads
import GRDB

/// The claims that this machine has sent and received, durably, in SQLite.
///
/// Every write is on the disk when its call returns, and survives a power cut at that moment. A call that has begun ends,
/// even where its task is cancelled: a claim must not be lost to a Ctrl-C. Several processes may share a store; one waits
/// up to five seconds for another.
public final class ClaimStore: Sendable {
  /// Where the store lies; `nil` in memory.
  public let path: String?
  private let queue: DatabaseQueue

  private init(path: String?, _ queue: DatabaseQueue) {
    self.path = path
    self.queue = queue
  }

  /// Opens a store, and makes it where there is none: the file with mode 0600, its directory with 0700.
  /// Something is written and freed, so that a read-only mount or a full disk shows now, as far as it can: SQLite needs
  /// room for its journal at each write.
  ///
  /// - Throws: `StoreError.unusable`.
  public static func open(at path: String) async throws -> ClaimStore {
    let path = DatabaseFile.absolute(path)
    return try await opened(path) {
      let queue = try DatabaseQueue(
        path: DatabaseFile.prepare(path), configuration: .durable(journalLimit: journalLimit))
      try Schema.migrate(queue)
      try Schema.makeRoom(in: queue)
      return queue
    }
  }

  /// Opens a store to read it only, which a read-only mount allows too.
  ///
  /// - Returns: `nil` where there is none yet.
  /// - Throws: `StoreError.unusable`.
  public static func openForReading(at path: String) async throws -> ClaimStore? {
    let path = DatabaseFile.absolute(path)
    guard try isThere(path) else { return nil }
    let store = try await opened(path) {
      let path = try DatabaseFile.checked(path)
      var readOnly = Configuration.cautious
      readOnly.readonly = true
      let queue: DatabaseQueue
      do {
        queue = try DatabaseQueue(path: path, configuration: readOnly)
      } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
        // Somebody was killed amid a write. What they left has to be rolled back, which a reader may not do.
        _ = try DatabaseQueue(path: path, configuration: .durable(journalLimit: journalLimit))
        queue = try DatabaseQueue(path: path, configuration: readOnly)
      }
      try queue.read(Schema.check)
      return queue
    }
    return try await store.read(Schema.isThere(in:)) ? store : nil
  }

  private static func isThere(_ path: String) throws -> Bool {
    do {
      return try DatabaseFile.exists(path)
    } catch {
      throw Self.error(.unusable, path, error)
    }
  }

  /// A store that is gone with its last reference, for tests.
  public static func inMemory() throws -> ClaimStore {
    let queue = try DatabaseQueue(configuration: .cautious)
    try Schema.migrator.migrate(queue)
    return ClaimStore(path: nil, queue)
  }

  /// Room for the journal of a bump's writes, in bytes.
  private static let journalLimit = 65536

  private static func opened(
    _ path: String, _ open: @escaping @Sendable () throws -> DatabaseQueue
  ) async throws -> ClaimStore {
    do {
      return ClaimStore(path: path, try await onThread(open))
    } catch {
      throw Self.error(.unusable, path, error)
    }
  }

  /// Removes the journal and begins a new one: it holds what the last write changed, as it was before.
  func renewJournal() async throws {
    try await shielded {
      try await self.queue.writeWithoutTransaction { database in
        if self.path != nil { try database.renewJournal() }
      }
    }
  }

  /// Reads, whatever becomes of the calling task.
  func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await shielded { try await self.queue.read(body) }
  }

  /// Writes in one transaction, whatever becomes of the calling task.
  func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await shielded { try await self.queue.write(body) }
  }

  private func shielded<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    do {
      return try await uncancelled(body)
    } catch let error as StoreError {
      throw error
    } catch {
      throw Self.error(.failed, path, error)
    }
  }

  private static func error(_ code: StoreError.Code, _ path: String?, _ error: any Error) -> StoreError {
    let failure = DatabaseFailure(
      error, of: "the store \(path ?? "in memory")", opening: code == .unusable, words: reason)
    return StoreError(
      failure.isBusy || error is Overdue ? .busy : code, failure.reason,
      remedy: failure.remedy ?? (error as? Schema.Unexpected)?.remedy, underlying: underlying(error))
  }

  /// The cause without what it was working on: GRDB's errors keep a statement's values.
  private static func underlying(_ error: any Error) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    return SQLiteError(extendedResultCode: error.extendedResultCode.rawValue, message: error.message)
  }

  /// An error of our own in words.
  private static func reason(_ error: any Error) -> String? {
    switch error {
    case let error as Schema.Unexpected: "it \(error)"
    case let error as DamagedRow: "a claim in it is damaged: \(error)"
    case let error as ClaimError: "a claim in it is damaged: \(error)"
    case is Overdue: "it was busy for so long that the sender may have given the claim to somebody else"
    case is RowDecodingError: "a claim in it is damaged"
    default: nil
    }
  }
}
