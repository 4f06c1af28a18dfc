import BumpSQLite
import GRDB

/// The tables of a store of accounts. A change of them needs another version.
///
/// Times are seconds since 1970. Hashes, ids and tokens have 32 bytes. No column has an address, a code, a token or a
/// wallet's key: see `AccountKeys` and `WrappedKey`.
enum AccountSchema {
  private static let version = 1

  /// Makes the tables, within the caller's transaction.
  static func make(in database: Database) throws {
    try database.execute(sql: tables)
    try database.execute(sql: "PRAGMA user_version = \(version)")
  }

  /// Checks that a file contains these tables and indexes, each at pages of its own, and nothing else: a trigger could
  /// keep what is deleted, or count a guess less.
  ///
  /// - Throws: `DatabaseFile.Failure`.
  static func check(_ database: Database) throws {
    let objects = try SchemaObjects(of: database)
    guard try Int.fetchOne(database, sql: "PRAGMA user_version") == version, try objects.areAll(madeBy: make) else {
      throw DatabaseFile.Failure("it is not a store of accounts, or was changed")
    }
  }

  private static let tables = """
    CREATE TABLE keys (fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32)) STRICT;
    CREATE TABLE accounts (
      id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 32),
      made INTEGER NOT NULL,
      wallet BLOB CHECK (length(wallet) = 20),
      recovery BLOB CHECK (length(recovery) = 60) CHECK (recovery IS NULL OR wallet IS NOT NULL)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE addresses (
      hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
      codes BLOB NOT NULL CHECK (length(codes) % 8 = 0), -- when codes were sent; big-endian integers
      latest INTEGER NOT NULL, -- of these times
      account BLOB UNIQUE REFERENCES accounts
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX addressesOfNobody ON addresses (latest) WHERE account IS NULL;
    CREATE TABLE flows (
      token BLOB NOT NULL PRIMARY KEY CHECK (length(token) = 32), -- its hash
      address BLOB NOT NULL CHECK (length(address) = 32), -- its hash
      code BLOB CHECK (length(code) = 32), -- its hash; NULL if none was sent
      expires INTEGER NOT NULL,
      tries INTEGER NOT NULL CHECK (tries >= 0)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX flowsByExpiry ON flows (expires);
    CREATE TABLE devices (
      id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 32),
      account BLOB NOT NULL REFERENCES accounts,
      credential BLOB NOT NULL CHECK (length(credential) BETWEEN 16 AND 1023),
      name TEXT NOT NULL,
      wrapped BLOB NOT NULL CHECK (length(wrapped) = 60),
      added INTEGER NOT NULL,
      used INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX devicesByAccount ON devices (account);
    CREATE TABLE sessions (
      id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 32),
      account BLOB NOT NULL REFERENCES accounts,
      began INTEGER NOT NULL,
      token BLOB NOT NULL UNIQUE CHECK (length(token) = 32), -- its hash
      previous BLOB UNIQUE CHECK (length(previous) = 32), -- the hash of the token before
      drawn INTEGER NOT NULL,
      confirmed INTEGER,
      device BLOB CHECK (length(device) = 32)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessionsByAccount ON sessions (account);
    CREATE INDEX sessionsByBeginning ON sessions (began);
    """
}
