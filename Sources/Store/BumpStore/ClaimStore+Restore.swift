import BumpClaims
import BumpSQLite
import BumpSystem
import BumpText
import GRDB
import Glibc

/// What a restored store has.
public struct RestoredStore: Hashable, Sendable {
  /// The number of claims that were made here.
  public let sent: Int
  /// The number of claims that were received.
  public let received: Int
  /// How many of those made here were new or lost in the backup, and are unknown now.
  public let doubtful: Int
}

extension ClaimStore {
  /// Makes a store from a backup of a lost one: completely, durably and under its name, or not at all. Overwrites no
  /// file.
  ///
  /// A claim that is *new* or *lost* in the backup may have been sent since. It becomes *unknown*, so that nothing sends
  /// it before its owner has settled it. What was requested of its vault since is not known either: the money of every
  /// claim that was made here counts as requested, by a request that the store does not have, unless it was locked in the
  /// backup or a receipt has settled it.
  ///
  /// - Parameters:
  ///   - backup: the path of the backup, which is only read.
  ///   - path: the path of the new store. There must be no file yet.
  /// - Throws: `StoreError.unusable`.
  public static func restore(_ backup: String, to path: String) async throws -> RestoredStore {
    let (backup, path) = (DatabaseFile.absolute(backup), DatabaseFile.absolute(path))
    do {
      return try await onThread { () throws(any Error) in
        try checkThatNothing(isAt: path)
        let unfinished = path + "-restore"
        try remove(unfinished, with: [""] + DatabaseFile.companions)
        do {
          let restored = try copy(backup, to: DatabaseFile.prepare(unfinished))
          // The journal of the lost store would be rolled back into this one. The journal of a store that was made
          // meanwhile must stay.
          try checkThatNothing(isAt: path)
          try remove(path, with: DatabaseFile.companions)
          try move(unfinished, to: path)
          return restored
        } catch {
          try? remove(unfinished, with: [""] + DatabaseFile.companions)
          throw error
        }
      }
    } catch {
      throw Self.error(.unusable, path, error)
    }
  }

  private static func checkThatNothing(isAt path: String) throws {
    guard try !DatabaseFile.exists(path) else {
      throw DatabaseFile.Failure(
        "it is there already, and a backup in its place would lose what came since",
        remedy: "If it is lost all the same, move it and its journal away first")
    }
  }

  /// Copies a backup, and changes the claims that may have been sent since.
  private static func copy(_ backup: String, to path: String) throws -> RestoredStore {
    try read(backup, into: path)
    let queue = try DatabaseQueue(path: path, configuration: .durable(journalLimit: journalLimit))
    guard try queue.read(Schema.isThere(in:)) else {
      throw DatabaseFile.Failure("\(backup) is not a store of bump's", remedy: "Name another copy")
    }
    try Schema.migrate(queue)
    let restored = try queue.write { database in
      guard try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok" else {
        throw DatabaseFile.Failure("\(backup) is damaged", remedy: "Name another copy")
      }
      try database.execute(
        sql: """
          UPDATE outgoing SET state = 'unknown', deadline = NULL, settledAt = NULL WHERE state IN ('new', 'lost')
          """)
      let doubtful = database.changesCount
      // The request of the backup may have been refused since, and another carried out.
      try database.execute(
        sql: """
          UPDATE funding SET status = 'asked', request = NULL
            WHERE direction = 'outgoing' AND status IN ('asked', 'refused')
          """)
      return RestoredStore(
        sent: try Int.fetchOne(database, sql: "SELECT count(*) FROM outgoing") ?? 0,
        received: try Int.fetchOne(database, sql: "SELECT count(*) FROM incoming") ?? 0, doubtful: doubtful)
    }
    try queue.close()
    return restored
  }

  /// Checks that nobody else can change a backup, or put another in its place: the vaults and people whom it names are
  /// trusted afterwards. Others may be able to read it, as on a disk without modes.
  ///
  /// - Returns: its path without symbolic links.
  private static func checked(_ backup: String) throws -> String {
    let path: String?
    do {
      path = try PrivatePath.resolved(backup)
    } catch {
      throw DatabaseFile.Failure(
        "the backup \(backup) is not used: \(error.reason)", remedy: error.remedy(ShellCommand.text))
    }
    var status = stat()
    guard let path, lstat(path, &status) == 0 else { throw DatabaseFile.Failure("there is no \(backup)") }
    guard [0, geteuid()].contains(status.st_uid) else {
      throw DatabaseFile.Failure("the backup \(backup) \(PrivateFile.Failure.belongs(to: status.st_uid).refusal)")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw DatabaseFile.Failure(
        "the backup \(backup) can be changed by others",
        remedy: "If nobody has changed it: \(ShellCommand.text(["chmod", "go-w", backup]))")
    }
    return path
  }

  private static func read(_ backup: String, into path: String) throws {
    let backup = try checked(backup)
    var readOnly = Configuration.cautious
    readOnly.readonly = true
    do {
      let source = try DatabaseQueue(path: backup, configuration: readOnly)
      let target = try DatabaseQueue(path: path, configuration: .cautious)
      try source.backup(to: target)
      try target.close()
      try source.close()
    } catch let error as DatabaseError {
      throw DatabaseFile.Failure(
        "\(backup) cannot be read: \(error.message ?? error.resultCode.description)", remedy: "Name another copy")
    }
  }

  /// Removes the files whose names are a path and one of these ends, durably.
  private static func remove(_ path: String, with suffixes: [String]) throws {
    for suffix in suffixes where unlink(path + suffix) != 0 && errno != ENOENT {
      throw DatabaseFile.Failure(errno: errno)
    }
    guard Directories.sync(Directories.folder(of: path)) || errno == ENOENT else {
      throw DatabaseFile.Failure(errno: errno)
    }
  }

  /// Gives a durable file its name, which must be free.
  private static func move(_ unfinished: String, to path: String) throws {
    // link(2) fails if there is a file by now; rename(2) would overwrite it.
    guard link(unfinished, path) == 0 else { throw DatabaseFile.Failure(errno: errno) }
    try remove(unfinished, with: [""] + DatabaseFile.companions)
  }
}
