import BumpClaims
import BumpSQLite
import BumpSystem
import GRDB

/// The claims that this machine has sent and received, stored durably in SQLite.
///
/// Each write is on the disk when its call returns, and survives a power failure at that moment. A call that has begun
/// completes even if its task is cancelled: a claim must not be lost to a Ctrl-C. Several processes may share a store.
/// One waits up to five seconds for another.
public final class ClaimStore: Sendable {
  /// The path of the store's file; `nil` for a store in memory.
  public let path: String?
  private let queue: DatabaseQueue

  private init(path: String?, _ queue: DatabaseQueue) {
    self.path = path
    self.queue = queue
  }

  /// Reads from an empty database in memory on another thread, so that opening a store need not wait for what the first
  /// use of SQLite and GRDB takes. Call this if a store will be opened.
  public static func prepare() {
    startThread { _ = try? DatabaseQueue(configuration: .cautious).read { try Schema.isThere(in: $0) } }
  }

  /// Opens a store. If there is none, creates the file with mode 0600 and its directory with mode 0700. Writes and
  /// deletes something, so that a read-only mount or a full disk is found now, as far as possible: SQLite needs room
  /// for its journal at each write.
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

  /// Opens a store for reading only, which works on a read-only mount too.
  ///
  /// - Returns: `nil` if there is no store yet.
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
        // A process was killed during a write. What it left must be rolled back, which a reader may not do.
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

  /// Makes a store in memory, which is deleted with its last reference: for tests.
  public static func inMemory() throws -> ClaimStore {
    let queue = try DatabaseQueue(configuration: .cautious)
    try Schema.migrator.migrate(queue)
    return ClaimStore(path: nil, queue)
  }

  /// The size to which the journal is truncated, in bytes: enough for a bump's writes.
  static let journalLimit = 65536

  private static func opened(
    _ path: String, _ open: @escaping @Sendable () throws -> DatabaseQueue
  ) async throws -> ClaimStore {
    do {
      return ClaimStore(path: path, try await onThread(open))
    } catch {
      throw Self.error(.unusable, path, error)
    }
  }

  /// Deletes the journal and creates a new one: the journal holds the former contents of what the last write changed.
  func renewJournal() async throws {
    try await shielded {
      try await self.queue.writeWithoutTransaction { database in
        if self.path != nil { try database.renewJournal() }
      }
    }
  }

  /// Reads. Completes even if the calling task is cancelled.
  func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await shielded { try await self.queue.read(body) }
  }

  /// Writes in one transaction. Completes even if the calling task is cancelled.
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

  static func error(_ code: StoreError.Code, _ path: String?, _ error: any Error) -> StoreError {
    let failure = DatabaseFailure(
      error, of: "the store \(path ?? "in memory")", opening: code == .unusable, words: reason)
    return StoreError(
      failure.isBusy || error is Overdue ? .busy : code, failure.reason,
      remedy: failure.remedy ?? (error as? Schema.Unexpected)?.remedy, underlying: underlying(error))
  }

  /// Returns the cause without the values of the statement, which GRDB's errors keep.
  private static func underlying(_ error: any Error) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    return SQLiteError(extendedResultCode: error.extendedResultCode.rawValue, message: error.message)
  }

  /// Returns the words for an error of this module.
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
