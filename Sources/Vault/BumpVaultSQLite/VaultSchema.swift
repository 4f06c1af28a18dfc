import BumpSQLite
import GRDB

/// The tables of a vault's store. A change of them needs another version.
///
/// Times are seconds since 1970, amounts base units. Every rule that the database can check, it checks, so that a
/// mistake of the program ends in an error and not in a wrong payment.
enum VaultSchema {
  /// The version of the tables. Those of development builds have 1.
  private static let version = 2

  /// Makes the tables, within the caller's transaction.
  static func make(in database: Database) throws {
    try database.execute(sql: tables)
    try database.execute(sql: "PRAGMA user_version = \(version)")
  }

  /// Checks that a file contains these tables and indexes, each at pages of its own, and nothing else: a trigger could
  /// move money, and a table or an index at the page of another could hide it.
  ///
  /// - Throws: `DatabaseFile.Failure`.
  static func check(_ database: Database) throws {
    let number = try Int.fetchOne(database, sql: "PRAGMA user_version")
    let objects = try SchemaObjects(of: database)
    if number == 1, ["vaults", "journal"].allSatisfy({ objects.byName[$0] != nil }) { throw ofDevelopmentBuild }
    guard try number == version && objects.areAll(madeBy: make) else {
      throw DatabaseFile.Failure("it is not a vault's store, or was changed")
    }
  }

  private static let ofDevelopmentBuild = DatabaseFile.Failure(
    "it was made by a development build of bump-vault",
    remedy: "Serve it with that build until its claims are paid or refunded, and make a new vault in another file")

  /// Returns whether a file contains no tables, indexes, views or triggers.
  static func isEmpty(_ database: Database) throws -> Bool { try SchemaObjects(of: database).byName.isEmpty }

  private static let tables = """
    CREATE TABLE vaults ( -- what the vault is, and what it was before its store was copied
      number INTEGER NOT NULL PRIMARY KEY,
      chainId INTEGER NOT NULL,
      address BLOB NOT NULL UNIQUE CHECK (length(address) = 20),
      key BLOB CHECK (length(key) = 32) -- of the last one alone
    ) STRICT;
    CREATE TABLE place (fingerprint BLOB NOT NULL) STRICT; -- of the file that the key was drawn for
    CREATE TABLE clock ( -- see ClockRecord
      latest INTEGER NOT NULL, -- the greatest time that was written
      time INTEGER NOT NULL, -- of the anchor
      uptime INTEGER NOT NULL, -- at the anchor
      boot TEXT NOT NULL -- of the anchor
    ) STRICT;
    CREATE TABLE tokens (
      address BLOB NOT NULL PRIMARY KEY CHECK (length(address) = 20),
      symbol TEXT NOT NULL UNIQUE,
      domainName TEXT NOT NULL,
      domainVersion TEXT NOT NULL,
      minted INTEGER NOT NULL DEFAULT 0 CHECK (minted >= 0)
    ) STRICT;
    CREATE TABLE claims (
      claimId TEXT NOT NULL PRIMARY KEY,
      ledgerId BLOB NOT NULL CHECK (length(ledgerId) = 32),
      secretHash BLOB NOT NULL CHECK (length(secretHash) = 32),
      token BLOB NOT NULL REFERENCES tokens,
      amount INTEGER NOT NULL CHECK (amount > 0),
      expiry INTEGER NOT NULL CHECK (expiry % 60 = 0),
      status TEXT NOT NULL CHECK (status IN ('none', 'pending', 'claimed', 'refunded')),
      draftedAt INTEGER CHECK ((draftedAt IS NOT NULL) = (status = 'none')),
      sender BLOB CHECK (length(sender) = 20) CHECK ((sender IS NULL) = (status = 'none')),
      authorization BLOB CHECK ((authorization IS NULL) = (status = 'none')),
      validBefore INTEGER CHECK ((validBefore IS NULL) = (status = 'none')),
      depositHash BLOB CHECK (length(depositHash) = 32) CHECK ((depositHash IS NULL) = (status = 'none')),
      depositedAt INTEGER CHECK (depositedAt < expiry) CHECK ((depositedAt IS NULL) = (status = 'none')),
      receiver BLOB CHECK (length(receiver) = 20)
        CHECK ((receiver IS NULL) = (status IN ('none', 'pending'))),
      settlementHash BLOB CHECK (length(settlementHash) = 32)
        CHECK ((settlementHash IS NULL) = (status IN ('none', 'pending'))),
      settledAt INTEGER CHECK ((settledAt IS NULL) = (status IN ('none', 'pending')))
        CHECK (status <> 'claimed' OR settledAt < expiry) CHECK (status <> 'refunded' OR settledAt >= expiry)
    ) STRICT;
    CREATE UNIQUE INDEX claimsByLedgerId ON claims (ledgerId) WHERE status <> 'none';
    CREATE INDEX drafts ON claims (draftedAt) WHERE status = 'none';
    CREATE TABLE senders (
      address BLOB NOT NULL PRIMARY KEY CHECK (length(address) = 20),
      pending INTEGER NOT NULL CHECK (pending >= 0),
      day INTEGER NOT NULL, -- of the last deposit, counted from 1970
      deposits INTEGER NOT NULL CHECK (deposits > 0) -- on that day
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE balances (
      account BLOB NOT NULL CHECK (length(account) = 20),
      token BLOB NOT NULL REFERENCES tokens,
      balance INTEGER NOT NULL CHECK (balance >= 0),
      PRIMARY KEY (account, token)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE batches (
      number INTEGER NOT NULL PRIMARY KEY CHECK (number > 0),
      previous BLOB NOT NULL UNIQUE CHECK (length(previous) = 32),
      time INTEGER NOT NULL,
      hash BLOB NOT NULL CHECK (length(hash) = 32)
    ) STRICT;
    CREATE TABLE journal (
      number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
      kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 4), -- mint, deposit, claim, refund
      time INTEGER NOT NULL,
      ledgerId BLOB NOT NULL CHECK (length(ledgerId) = 32),
      sender BLOB NOT NULL CHECK (length(sender) = 20),
      receiver BLOB NOT NULL CHECK (length(receiver) = 20),
      token BLOB NOT NULL REFERENCES tokens,
      amount INTEGER NOT NULL CHECK (amount > 0),
      evidence BLOB NOT NULL,
      batch INTEGER REFERENCES batches
    ) STRICT;
    CREATE UNIQUE INDEX mints ON journal (ledgerId) WHERE kind = 1;
    CREATE UNIQUE INDEX deposits ON journal (ledgerId) WHERE kind = 2;
    CREATE UNIQUE INDEX settlements ON journal (ledgerId) WHERE kind IN (3, 4);
    CREATE INDEX journalBySender ON journal (sender, number);
    CREATE INDEX journalByReceiver ON journal (receiver, number);
    CREATE INDEX journalByBatch ON journal (batch, number);
    """
}
