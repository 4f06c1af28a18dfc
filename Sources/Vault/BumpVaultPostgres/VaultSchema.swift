import BumpPostgres
import BumpVault

/// The tables of a vault's store, in the schema `bump_vault` of a database. A change of them needs another version.
///
/// Times are seconds since 1970, amounts base units. Every rule that the database can check, it checks, so that a
/// mistake of the program ends in an error and not in a wrong payment. There are no foreign keys to a token: each
/// change would lock the same row of `tokens`.
enum VaultSchema {
  /// The version of the tables. Those of development builds have 1 or 2.
  static let version: Int64 = 3

  /// Checks the schema, and makes the tables if there are none.
  ///
  /// - Parameter makes: whether to make the tables if there are none.
  /// - Returns: whether they were made.
  /// - Throws: `SchemaRefusal`; `PostgresError`.
  static func settle(_ transaction: PostgresTransaction, makes: Bool) async throws -> Bool {
    let shape = try await transaction.run(SchemaShape.statement, .text("bump_vault"))
    guard let found = shape.first, try found.value("exists") else {
      guard makes else { throw SchemaRefusal.absent }
      try await transaction.run(script: "CREATE SCHEMA bump_vault")
      return try await make(transaction)
    }
    // An empty schema is for a user who must not make one.
    if try !found.value("has_objects") {
      guard makes else { throw SchemaRefusal.absent }
      return try await make(transaction)
    }
    guard try found.value("has_version") else { throw SchemaRefusal.foreign }
    let rows = try await transaction.run(readVersion)
    guard rows.count == 1, let row = rows.first, case let number = try row.value("number", as: Int64.self), number > 0
    else { throw SchemaRefusal.foreign }
    guard number >= version else { throw SchemaRefusal.ofDevelopmentBuild }
    guard number == version else { throw SchemaRefusal.newer }
    guard try row.value("shape", as: String.self) == found.value("shape") else { throw SchemaRefusal.changed }
    return false
  }

  private static func make(_ transaction: PostgresTransaction) async throws -> Bool {
    try await transaction.run(script: tables)
    try await transaction.run(script: present)
    let shape = try await SchemaShape.of("bump_vault", in: transaction)
    try await transaction.run(writeVersion, .int8(version), .text(shape))
    return true
  }

  private static let readVersion = PostgresStatement(
    "vault_version", sql: "SELECT number, shape FROM bump_vault.version")
  private static let writeVersion = PostgresStatement(
    "vault_version_write", .int8, .text, sql: "INSERT INTO bump_vault.version (number, shape) VALUES ($1, $2)")

  private static let tables: StaticString = """
    CREATE TABLE bump_vault.version (
      number int8 NOT NULL,
      shape text NOT NULL -- of the schema, as it was made
    );
    CREATE TABLE bump_vault.vaults ( -- what the vault is, and what it was before its database was copied
      number int8 PRIMARY KEY,
      chain_id int8 NOT NULL,
      address bytea NOT NULL UNIQUE CHECK (length(address) = 20),
      key bytea CHECK (length(key) = 32) -- of the last one alone
    );
    CREATE TABLE bump_vault.place ( -- where the key was drawn
      system int8 NOT NULL,
      database int8 NOT NULL,
      relation int8 NOT NULL,
      timeline text NOT NULL
    );
    CREATE TABLE bump_vault.clock ( -- one row
      latest int8 NOT NULL, -- the time that was proven last, beside the journal's
      confirmed int8 NOT NULL, -- by an operator; 0 if never
      uptime int8 NOT NULL, -- of the machine that wrote the latest time, when it did
      boot text NOT NULL -- that machine's
    );
    CREATE TABLE bump_vault.tokens (
      number int8 PRIMARY KEY,
      address bytea NOT NULL UNIQUE CHECK (length(address) = 20),
      symbol text NOT NULL UNIQUE,
      domain_name text NOT NULL,
      domain_version text NOT NULL,
      minted int8 NOT NULL DEFAULT 0 CHECK (minted >= 0)
    );
    CREATE TABLE bump_vault.claims (
      claim_id text COLLATE "C" PRIMARY KEY,
      ledger_id bytea NOT NULL CHECK (length(ledger_id) = 32),
      secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
      token bytea NOT NULL CHECK (length(token) = 20),
      amount int8 NOT NULL CHECK (amount > 0),
      expiry int8 NOT NULL CHECK (expiry % 60 = 0),
      status text COLLATE "C" NOT NULL CHECK (status IN ('none', 'pending', 'claimed', 'refunded')),
      drafted_at int8 CHECK ((drafted_at IS NOT NULL) = (status = 'none')),
      sender bytea CHECK (length(sender) = 20) CHECK ((sender IS NULL) = (status = 'none')),
      signature bytea CHECK ((signature IS NULL) = (status = 'none')), -- the authorization
      valid_before int8 CHECK ((valid_before IS NULL) = (status = 'none')),
      deposit_hash bytea CHECK (length(deposit_hash) = 32) CHECK ((deposit_hash IS NULL) = (status = 'none')),
      deposited_at int8 CHECK (deposited_at < expiry) CHECK ((deposited_at IS NULL) = (status = 'none')),
      receiver bytea CHECK (length(receiver) = 20) CHECK ((receiver IS NULL) = (status IN ('none', 'pending'))),
      settlement_hash bytea CHECK (length(settlement_hash) = 32)
        CHECK ((settlement_hash IS NULL) = (status IN ('none', 'pending'))),
      settled_at int8 CHECK ((settled_at IS NULL) = (status IN ('none', 'pending'))) CHECK (settled_at >= deposited_at)
        CHECK (status <> 'claimed' OR settled_at < expiry) CHECK (status <> 'refunded' OR settled_at >= expiry)
    );
    CREATE UNIQUE INDEX claims_by_ledger_id ON bump_vault.claims (ledger_id) WHERE status <> 'none';
    CREATE INDEX drafts ON bump_vault.claims (drafted_at) WHERE status = 'none';
    CREATE TABLE bump_vault.senders (
      address bytea PRIMARY KEY CHECK (length(address) = 20),
      pending int8 NOT NULL CHECK (pending >= 0),
      day int8 NOT NULL, -- of the last deposit, counted from 1970
      deposits int8 NOT NULL CHECK (deposits > 0) -- on that day
    );
    CREATE TABLE bump_vault.balances (
      account bytea NOT NULL CHECK (length(account) = 20),
      token bytea NOT NULL CHECK (length(token) = 20),
      balance int8 NOT NULL CHECK (balance >= 0),
      PRIMARY KEY (account, token)
    );
    CREATE TABLE bump_vault.journal ( -- rows are added, and never changed
      number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
      kind int8 NOT NULL CHECK (kind BETWEEN 1 AND 4), -- mint, deposit, claim, refund
      time int8 NOT NULL,
      ledger_id bytea NOT NULL CHECK (length(ledger_id) = 32),
      sender bytea NOT NULL CHECK (length(sender) = 20),
      receiver bytea NOT NULL CHECK (length(receiver) = 20),
      token bytea NOT NULL CHECK (length(token) = 20),
      amount int8 NOT NULL CHECK (amount > 0),
      evidence bytea NOT NULL
    );
    CREATE UNIQUE INDEX mints ON bump_vault.journal (ledger_id) WHERE kind = 1;
    CREATE UNIQUE INDEX deposits ON bump_vault.journal (ledger_id) WHERE kind = 2;
    CREATE UNIQUE INDEX settlements ON bump_vault.journal (ledger_id) WHERE kind IN (3, 4);
    CREATE INDEX journal_by_sender ON bump_vault.journal (sender, number);
    CREATE INDEX journal_by_receiver ON bump_vault.journal (receiver, number);
    CREATE TABLE bump_vault.unsealed (number int8 PRIMARY KEY); -- the journal's rows that are in no batch yet
    CREATE TABLE bump_vault.batches (
      number int8 PRIMARY KEY CHECK (number > 0),
      previous bytea NOT NULL UNIQUE CHECK (length(previous) = 32),
      time int8 NOT NULL,
      entries bytea NOT NULL CHECK (length(entries) > 0 AND length(entries) % 32 = 0), -- the hashes of journal's rows
      hash bytea NOT NULL CHECK (length(hash) = 32)
    );
    CREATE TABLE bump_vault.challenges ( -- those that were used, until they expire
      digest text COLLATE "C" PRIMARY KEY,
      expires int8 NOT NULL
    );
    CREATE UNLOGGED TABLE bump_vault.requests ( -- how full the buckets are by which requests are counted; in microseconds
      bucket bytea PRIMARY KEY,
      taken int8 NOT NULL, -- by the last lease
      time int8 NOT NULL,
      empties int8 NOT NULL
    );
    """

  private static let present: StaticString = """
    CREATE VIEW bump_vault.present AS SELECT
      greatest(
        (SELECT time FROM bump_vault.journal ORDER BY number DESC LIMIT 1), (SELECT latest FROM bump_vault.clock)
      ) AS latest,
      (SELECT confirmed FROM bump_vault.clock) AS confirmed,
      (SELECT max(number) FROM bump_vault.vaults) AS vault,
      EXISTS (
        SELECT FROM bump_vault.place
        -- A connection's server stays the same. To read its number from the control file takes longer than all the rest.
        WHERE system = coalesce(
            nullif(current_setting('bump_vault.system', true), '')::int8,
            (SELECT set_config('bump_vault.system', system_identifier::text, false)::int8 FROM pg_control_system()))
          AND database = (SELECT oid::int8 FROM pg_database WHERE datname = current_database())
          AND relation = 'bump_vault.place'::regclass::oid::int8
          AND timeline = substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)) AS is_here;
    """
}

/// The reasons why a database is not a vault's.
extension SchemaRefusal {
  fileprivate static let absent = SchemaRefusal(
    reason: "there is no vault in it", remedy: "Name the one that bump-vault serves")
  fileprivate static let foreign = SchemaRefusal(
    reason: "its schema bump_vault is not a vault's", remedy: "Name another database, or remove that schema")
  fileprivate static let ofDevelopmentBuild = SchemaRefusal(
    reason: "it was made by a development build of bump-vault",
    remedy:
      "Serve it with that build until its claims are paid or refunded, and make a new vault in another database")
  fileprivate static let newer = SchemaRefusal(
    reason: "it was made by a newer version of this program", remedy: "Install that version")
  fileprivate static let changed = SchemaRefusal(
    reason: "something was made, changed or removed in its schema bump_vault",
    remedy: "Undo that: triggers, rules and tables of others could move money. Keep them in another schema")
}
