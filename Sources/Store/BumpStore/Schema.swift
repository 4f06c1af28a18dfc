import GRDB

/// The tables of the store. To change them once bump is released, add a migration; never edit one that was released.
enum Schema {
  /// The name of the migration that makes the tables.
  static let tables = "tables"

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration(tables) { database in
      try database.execute(
        sql: """
          CREATE TABLE outgoing (
            claimId TEXT NOT NULL PRIMARY KEY,
            secret BLOB NOT NULL,
            token TEXT NOT NULL,
            amount INTEGER NOT NULL CHECK (amount > 0), -- base units
            expiry INTEGER NOT NULL, -- seconds since 1970, as are the other times
            state TEXT NOT NULL
              CHECK (state IN ('new', 'released', 'linkShown', 'unknown', 'delivered', 'lost')),
            peer TEXT,
            createdAt INTEGER NOT NULL,
            deadline INTEGER -- until when the receiver may take it; the next three go with it
              CHECK (NOT (deadline IS NULL AND state = 'released'))
              CHECK (deadline IS NULL OR state IN ('released', 'unknown'))
              CHECK (deadline IS NULL OR NOT (bootDeadline IS NULL OR flight IS NULL)),
            boot TEXT, -- the id of the boot; NULL if it could not be read
            bootDeadline INTEGER, -- the deadline in seconds since that boot
            flight INTEGER, -- how many seconds the deadline was ahead at the release
            draws INTEGER NOT NULL DEFAULT 0 CHECK (draws BETWEEN 0 AND 3), -- of digits: made, or reserved
            settledAt INTEGER CHECK (settledAt IS NULL OR state IN ('delivered', 'lost')) -- by its owner's word
          ) STRICT;
          CREATE INDEX outgoingByTime ON outgoing (createdAt);
          CREATE INDEX outgoingUndecided ON outgoing (expiry) WHERE state IN ('released', 'unknown');
          CREATE INDEX outgoingByExpiry ON outgoing (expiry); -- finds the claim of a row in funding
          CREATE TABLE incoming (
            payloadHash BLOB NOT NULL PRIMARY KEY, -- SHA-256 of the claim payload: an id alone proves nothing
            claimId TEXT NOT NULL,
            secret BLOB NOT NULL,
            token TEXT NOT NULL,
            amount INTEGER NOT NULL CHECK (amount > 0),
            expiry INTEGER NOT NULL,
            sender TEXT,
            receivedAt INTEGER NOT NULL
          ) STRICT;
          CREATE INDEX incomingByClaimId ON incoming (claimId);
          CREATE INDEX incomingByTime ON incoming (receivedAt);
          CREATE TABLE keys (
            name TEXT NOT NULL PRIMARY KEY,
            key BLOB NOT NULL,
            direction TEXT CHECK (direction IN ('outgoing', 'incoming')), -- of the claim with which it was agreed on
            isConfirmed INTEGER NOT NULL,
            createdAt INTEGER NOT NULL
          ) STRICT;
          CREATE TABLE vaults (
            url TEXT NOT NULL PRIMARY KEY,
            description TEXT NOT NULL, -- what its owner confirmed: JSON, as the vault described itself
            confirmedAt INTEGER NOT NULL
          ) STRICT;
          CREATE TABLE funding (
            direction TEXT NOT NULL CHECK (direction IN ('outgoing', 'incoming')),
            payloadHash BLOB NOT NULL, -- SHA-256 of the claim payload
            vault TEXT NOT NULL, -- its URL
            ledgerId TEXT NOT NULL,
            expiry INTEGER NOT NULL,
            status TEXT NOT NULL
              CHECK (status IN ('asked', 'refused', 'pending', 'takingBack', 'claimed', 'refunded')),
            account TEXT, -- of the wallet that pays, or is to be paid
            request TEXT, -- what is asked again where its answer was lost
            txHash TEXT,
            receiver TEXT,
            receipt TEXT CHECK (receipt IS NOT NULL OR status NOT IN ('claimed', 'refunded')),
            level TEXT CHECK (level IN ('confirmed', 'finalized', 'undone')), -- on a chain
            heldAt INTEGER, -- by the vault's clock, before a payout was asked for
            updatedAt INTEGER NOT NULL,
            PRIMARY KEY (direction, payloadHash)
          ) STRICT;
          CREATE INDEX fundingUnfinished ON funding (expiry)
            WHERE (status IN ('asked', 'pending', 'takingBack') OR level = 'confirmed') AND direction = 'outgoing';
          CREATE TABLE room (bytes BLOB NOT NULL) STRICT;
          """)
    }
    return migrator
  }

  /// Migrates a file's tables under an exclusive lock. GRDB checks what is due before it locks the file: of two
  /// processes that create a store at the same time, the second would make the tables again.
  static func migrate(_ queue: DatabaseQueue) throws {
    // In this mode SQLite keeps its lock from one transaction to the next. If the mode were set before the transaction,
    // two processes would each keep a part of the lock and wait for each other.
    try queue.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE; PRAGMA locking_mode = EXCLUSIVE; COMMIT") }
    // Check before anything is written: a trigger would see the write.
    try queue.read(check)
    if try !queue.read(migrator.hasCompletedMigrations) {
      try migrator.migrate(queue)
      try queue.read(check)
    }
    // SQLite releases the lock at the next use of the database.
    try queue.inDatabase { try $0.execute(sql: "PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_schema") }
  }

  /// Returns whether a database is a store, and not an empty file.
  @Sendable static func isThere(in database: Database) throws -> Bool { try database.tableExists("outgoing") }

  /// Makes sure that the next claim has free pages in the file and room in the journal, and that the file can be
  /// written to.
  static func makeRoom(in queue: DatabaseQueue) throws {
    // In two transactions: for pages that are freed before they were written, the file system allocates no room.
    try queue.write { try $0.execute(sql: "INSERT INTO room VALUES (zeroblob(32768))") }
    try queue.write { try $0.execute(sql: "DELETE FROM room") }
  }
}
