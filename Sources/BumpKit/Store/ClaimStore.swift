import BumpWire
import Dispatch
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
    let path = StoreFile.absolute(path)
    return try await opened(path) {
      try StoreFile.prepare(path)
      let queue = try DatabaseQueue(path: path, configuration: writing)
      try Schema.migrate(queue)
      // Now that it is known to be a store: a wrong --store must not change somebody's file.
      try StoreFile.tighten(path)
      try Schema.makeRoom(in: queue)
      return queue
    }
  }

  /// Opens a store to read it only, which a read-only mount allows too.
  ///
  /// - Returns: `nil` where there is none yet.
  /// - Throws: `StoreError.unusable`.
  public static func openForReading(at path: String) async throws -> ClaimStore? {
    let path = StoreFile.absolute(path)
    guard try isThere(path) else { return nil }
    let store = try await opened(path) {
      try StoreFile.checkIsRegular(path)
      var readOnly = configuration
      readOnly.readonly = true
      let queue: DatabaseQueue
      do {
        queue = try DatabaseQueue(path: path, configuration: readOnly)
      } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
        // Somebody was killed amid a write. What they left has to be rolled back, which a reader may not do.
        _ = try DatabaseQueue(path: path, configuration: writing)
        queue = try DatabaseQueue(path: path, configuration: readOnly)
      }
      try queue.read(Schema.check)
      return queue
    }
    return try await store.read(Schema.isThere(in:)) ? store : nil
  }

  private static func isThere(_ path: String) throws -> Bool {
    do {
      return try StoreFile.exists(path)
    } catch {
      throw Self.error(.unusable, path, error)
    }
  }

  /// A store that is gone with its last reference, for tests.
  public static func inMemory() throws -> ClaimStore {
    let queue = try DatabaseQueue(configuration: configuration)
    try Schema.migrator.migrate(queue)
    return ClaimStore(path: nil, queue)
  }

  /// SQLite blocks, and no thread of Swift's own pool may: it opens on one of Dispatch's.
  private static func opened(
    _ path: String, _ open: @escaping @Sendable () throws -> DatabaseQueue
  ) async throws -> ClaimStore {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        do {
          continuation.resume(returning: ClaimStore(path: path, try open()))
        } catch {
          continuation.resume(throwing: Self.error(.unusable, path, error))
        }
      }
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      // Nothing that a schema holds is run: whoever wrote the file is not trusted (sqlite.org/security.html).
      try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    return configuration
  }

  /// Commits that survive a power cut.
  ///
  /// With a journal that is deleted at the commit, `synchronous=FULL` does not sync the directory after it: the journal
  /// is back after a power cut, and rolls the commit back. One that persists has its header overwritten and synced in
  /// the file itself, which takes no longer than the deletion did. (`EXTRA` costs one more sync for each commit, and so
  /// does `TRUNCATE`; a write-ahead log cannot be read from a read-only mount.)
  private static var writing: Configuration {
    var configuration = configuration
    configuration.prepareDatabase { database in
      try keepJournal(database)
      try database.execute(
        sql: "PRAGMA journal_size_limit = 65536; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
    }
    return configuration
  }

  private static func keepJournal(_ database: Database) throws {
    guard try String.fetchOne(database, sql: "PRAGMA journal_mode = PERSIST") == "persist" else {
      throw StoreFile.Failure("its journal cannot be kept")
    }
  }

  /// Removes the journal and begins a new one: it holds what the last write changed, as it was before.
  func renewJournal() async throws {
    try await shielded {
      try await self.queue.writeWithoutTransaction { database in
        guard self.path != nil else { return }
        try database.execute(sql: "PRAGMA journal_mode = DELETE")
        try Self.keepJournal(database)
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
      return try await Task { try await body() }.value
    } catch let error as StoreError {
      throw error
    } catch {
      throw Self.error(.failed, path, error)
    }
  }

  private static func error(_ code: StoreError.Code, _ path: String?, _ error: any Error) -> StoreError {
    let store = "the store \(path ?? "in memory")"
    // Another place would not be better, but another time.
    if let error = error as? DatabaseError, error.resultCode == .SQLITE_BUSY {
      return StoreError(.failed, "\(store) is held by another process; try again when that is done")
    }
    return StoreError(code, "\(store) \(code == .unusable ? "cannot be used" : "failed"): \(reason(error))")
  }

  /// An error in words, without the values of its statement: a secret may be among them.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as DatabaseError: error.message ?? error.resultCode.description
    case let error as StoreFile.Failure: error.description
    case let error as Schema.Unexpected: error.description
    case let error as DamagedRow: "a claim in it is damaged: \(error)"
    case let error as WireError: "a claim in it is damaged: \(error)"
    case is Overdue: "it was busy for so long that the sender may have given the claim to somebody else"
    case is RowDecodingError: "a claim in it is damaged"
    default: "\(type(of: error))"
    }
  }
}
