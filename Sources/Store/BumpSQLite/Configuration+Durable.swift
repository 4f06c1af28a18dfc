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
  /// does `TRUNCATE`; a write-ahead log cannot be read from a read-only mount.)
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

extension Database {
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
