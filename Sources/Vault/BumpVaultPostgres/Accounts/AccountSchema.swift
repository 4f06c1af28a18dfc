import BumpPostgres
import BumpSignIn
import BumpVault
import BumpWallet

/// The tables of a store of accounts, in the schema `bump_accounts` of a database. A change of them needs another
/// version.
///
/// Times are seconds since 1970. Hashes, ids and tokens have 32 bytes. No column has an address, a code, a token or a
/// wallet's key: see `AccountKeys` and `WrappedKey`.
enum AccountSchema {
  private static let version = SchemaVersion(
    name: "bump_accounts", store: "a store of accounts", number: 1, creation: "CREATE SCHEMA bump_accounts",
    reading: PostgresStatement(
      "accounts_version", sql: "SELECT number, shape, fingerprint FROM bump_accounts.version"))

  /// Checks the schema, or makes the tables if there are none, and checks that the store was made with these keys.
  ///
  /// - Throws: `SchemaRefusal`, `AccountStoreError`, `PostgresError`.
  static func settle(_ transaction: PostgresTransaction, _ keys: AccountKeys) async throws {
    guard let row = try await version.settle(transaction) else { return try await make(transaction, keys) }
    guard try row.bytes32("fingerprint") == keys.fingerprint else {
      throw AccountStoreError(
        .otherKeys, "the database's accounts were made with another key: with this one, nobody has an account",
        remedy: "Name the file of their key")
    }
  }

  private static func make(_ transaction: PostgresTransaction, _ keys: AccountKeys) async throws {
    try await transaction.run(script: tables)
    let shape = try await SchemaShape.of(version.name, in: transaction)
    try await transaction.run(
      writeVersion, .int8(version.number), .text(shape), keys.fingerprint.value)
  }

  private static let writeVersion = PostgresStatement(
    "accounts_version_write", .int8, .text, .bytea,
    sql: "INSERT INTO bump_accounts.version (number, shape, fingerprint) VALUES ($1, $2, $3)")

  private static let tables: StaticString = """
    CREATE TABLE bump_accounts.version (
      number int8 NOT NULL,
      shape text NOT NULL, -- of the schema, as it was made
      fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32) -- of the keys
    );
    CREATE TABLE bump_accounts.accounts (
      id bytea PRIMARY KEY CHECK (length(id) = 32),
      made int8 NOT NULL,
      wallet bytea CHECK (length(wallet) = 20),
      recovery bytea CHECK (length(recovery) = 60) CHECK (recovery IS NULL OR wallet IS NOT NULL)
    );
    CREATE TABLE bump_accounts.addresses (
      hash bytea PRIMARY KEY CHECK (length(hash) = 32),
      codes bytea NOT NULL CHECK (length(codes) % 8 = 0), -- when codes were sent; big-endian integers
      latest int8 NOT NULL, -- of these times
      account bytea UNIQUE REFERENCES bump_accounts.accounts
    );
    CREATE INDEX addresses_of_nobody ON bump_accounts.addresses (latest) WHERE account IS NULL;
    CREATE TABLE bump_accounts.flows (
      token bytea PRIMARY KEY CHECK (length(token) = 32), -- its hash
      address bytea NOT NULL CHECK (length(address) = 32), -- its hash
      code bytea CHECK (length(code) = 32), -- its hash; NULL if none was sent
      expires int8 NOT NULL,
      tries int8 NOT NULL CHECK (tries >= 0)
    );
    CREATE INDEX flows_by_expiry ON bump_accounts.flows (expires);
    CREATE TABLE bump_accounts.devices (
      id bytea PRIMARY KEY CHECK (length(id) = 32),
      account bytea NOT NULL REFERENCES bump_accounts.accounts,
      credential bytea NOT NULL CHECK (length(credential) BETWEEN 16 AND 1023),
      name text NOT NULL,
      wrapped bytea NOT NULL CHECK (length(wrapped) = 60),
      added int8 NOT NULL,
      used int8 NOT NULL
    );
    CREATE INDEX devices_by_account ON bump_accounts.devices (account);
    CREATE TABLE bump_accounts.sessions (
      id bytea PRIMARY KEY CHECK (length(id) = 32),
      account bytea NOT NULL REFERENCES bump_accounts.accounts,
      began int8 NOT NULL,
      token bytea NOT NULL UNIQUE CHECK (length(token) = 32), -- its hash
      previous bytea UNIQUE CHECK (length(previous) = 32), -- the hash of the token before
      drawn int8 NOT NULL,
      confirmed int8,
      device bytea CHECK (length(device) = 32)
    );
    CREATE INDEX sessions_by_account ON bump_accounts.sessions (account);
    CREATE INDEX sessions_by_beginning ON bump_accounts.sessions (began);
    """
}
