package import GRDB

extension Configuration {
  /// How any database of ours is opened: it waits up to five seconds for another process, and trusts nothing that it holds.
  package static var cautious: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      // Nothing that a schema holds is run: whoever wrote the file is not trusted (sqlite.org/security.html).
      try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    return configuration
  }

  /// Commits that survive a power cut. What is deleted is overwritten.
  ///
  /// With a journal that is deleted at the commit, `synchronous=FULL` does not sync the directory after it: the journal
  /// is back after a power cut, and rolls the commit back. One that persists has its header overwritten and synced in
  /// the file itself, which takes no longer than the deletion did. (`EXTRA` costs one more sync for each commit, and so
  /// does `TRUNCATE`; a write-ahead log cannot be read from a read-only mount.)
  ///
  /// - Parameter limit: what is left of a journal after a greater commit, in bytes.
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

extension Database {
  /// Removes the journal and begins a new one: it holds what the last write changed, as it was before.
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
