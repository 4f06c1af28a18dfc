package import GRDB

extension Configuration {
  /// The configuration of every database of ours: it waits up to five seconds for another process, and does not trust
  /// the file.
  package static var cautious: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      // No code in a schema is run: whoever wrote the file is not trusted (sqlite.org/security.html).
      try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    return configuration
  }

  /// A configuration whose commits survive a power cut, and which overwrites deleted data.
  ///
  /// If the journal is deleted at the commit, `synchronous=FULL` does not sync the directory after it: after a power
  /// cut the journal is back, and rolls the commit back. A journal that persists has its header overwritten and synced
  /// in the file itself, which takes no longer than the deletion. (`EXTRA` costs one more sync for each commit, and so
  /// does `TRUNCATE`. A write-ahead log takes less time for each commit, but it cannot be read from a read-only mount:
  /// see `logged`.)
  ///
  /// - Parameter limit: the size to which the journal is truncated after a larger commit, in bytes.
  package static func durable(journalLimit limit: Int) -> Configuration {
    var configuration = cautious
    configuration.prepareDatabase { database in
      try database.keepJournal()
      try database.execute(
        sql: "PRAGMA journal_size_limit = \(limit); PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
    }
    return configuration
  }
}

extension Configuration {
  /// A configuration for a database with a write-ahead log whose commits survive a power cut, and which overwrites
  /// deleted data.
  ///
  /// With `synchronous=FULL` a commit is complete once the log is synced; a new log's name is synced with its first
  /// commit. Nothing of a transaction is valid before its last frame, the commit, is in the log. `Database.keepLog`
  /// begins the log.
  ///
  /// - Parameter pages: the length of the log after which a commit copies it to the database, and the next write begins
  ///   it anew. A reader that takes long delays that.
  package static func logged(checkpointAfter pages: Int) -> Configuration {
    var configuration = cautious
    configuration.prepareDatabase { database in
      try database.execute(
        sql: """
          PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = \(pages);
          PRAGMA journal_size_limit = \(pages * 4096)
          """)
    }
    return configuration
  }

  /// A configuration that never changes the database's file. In a write-ahead log, its reads neither wait for writes
  /// nor delay them.
  package static var readOnly: Configuration {
    var configuration = cautious
    configuration.readonly = true
    return configuration
  }
}

extension Database {
  /// Gives a database a write-ahead log, if it has none yet. That is durable when this returns or the next commit does.
  ///
  /// - Throws: `DatabaseFile.Failure` if no log can be kept beside the file.
  package func keepLog() throws {
    if try mode() == "wal" { return }
    // A rollback journal that persists would stay beside the log, with what it contains.
    try execute(sql: "PRAGMA journal_mode = PERSIST; PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL")
    guard try mode() == "wal" else {
      throw DatabaseFile.Failure("no write-ahead log can be kept beside it", remedy: DatabaseFile.remedyForLog)
    }
  }

  /// Copies the log to the database, as far as no reader needs what is older.
  ///
  /// - Returns: whether the database alone contains all of the log.
  package func copyLog() throws -> Bool {
    do {
      let (inLog, copied) = try checkpoint(.passive)
      return inLog == copied
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      // Another process copies it.
      return false
    }
  }

  /// Copies the log to the database, and empties it: nothing of what it contained is left in it.
  package func emptyLog() throws { _ = try checkpoint(.truncate) }

  private func mode() throws -> String? { try String.fetchOne(self, sql: "PRAGMA journal_mode") }

  /// Removes the journal and begins a new one: the old one contains what the last write changed, as it was before.
  package func renewJournal() throws {
    try execute(sql: "PRAGMA journal_mode = DELETE")
    try keepJournal()
  }

  fileprivate func keepJournal() throws {
    guard try String.fetchOne(self, sql: "PRAGMA journal_mode = PERSIST") == "persist" else {
      throw DatabaseFile.Failure("its journal cannot be kept")
    }
  }
}
