import BumpChain
import BumpPostgres
import BumpVault
import BumpWallet

/// The tables of the store of a vault on a chain, in the schema `bump_chain` of a database. A change of them needs another
/// version.
enum ChainSchema {
  private static let version: Int64 = 1

  /// Checks the schema, or makes the tables if there are none, and checks that the store is that of this contract.
  ///
  /// - Throws: `Refusal`, `ChainStoreError`, `PostgresError`.
  static func settle(_ transaction: PostgresTransaction, _ vault: DeployedVault) async throws {
    let found = try await transaction.run(SchemaShape.statement, .text(name)).first
    guard let found, try found.value("exists") else {
      try await transaction.run(script: "CREATE SCHEMA bump_chain")
      return try await make(transaction, vault)
    }
    // An empty schema is for a user who must not make one.
    guard try found.value("has_objects") else { return try await make(transaction, vault) }
    guard try found.value("has_version") else { throw Refusal.foreign }
    let rows = try await transaction.run(readVersion)
    guard rows.count == 1, let row = rows.first, try row.value("number", as: Int64.self) == version else {
      throw Refusal.foreign
    }
    guard try row.value("shape", as: String.self) == found.value("shape") else { throw Refusal.changed }
    guard try row.value("chain_id", as: Int64.self) == chainID(of: vault), try row.address("contract") == vault.contract
    else {
      throw ChainStoreError(
        .otherVault, "the database's schema bump_chain is that of another contract, or of one on another chain",
        remedy: "Name the database of this contract, or another one")
    }
  }

  private static func make(_ transaction: PostgresTransaction, _ vault: DeployedVault) async throws {
    let chainID = try chainID(of: vault)
    try await transaction.run(script: tables)
    guard let made = try await transaction.run(SchemaShape.statement, .text(name)).first else { throw DamagedRow() }
    try await transaction.run(
      writeVersion, .int8(version), .text(made.value("shape")), .int8(chainID), vault.contract.value)
  }

  private static func chainID(of vault: DeployedVault) throws -> Int64 {
    guard let chainID = Int64(exactly: vault.chainID) else {
      throw ChainStoreError(.unusable, "the chain's id is more than a store can keep")
    }
    return chainID
  }

  /// The reason why a schema is not the store of a vault on a chain.
  struct Refusal: Error {
    let reason: String
    let remedy: String

    static let foreign = Refusal(
      reason: "its schema bump_chain is not the store of a vault on a chain, or another version's",
      remedy: "Name another database, or remove that schema")
    static let changed = Refusal(
      reason: "something was made, changed or removed in its schema bump_chain",
      remedy: "Undo that. Keep tables and triggers of others in another schema")
  }

  private static let name = "bump_chain"

  private static let readVersion = PostgresStatement(
    "chain_version", sql: "SELECT number, shape, chain_id, contract FROM bump_chain.version")
  private static let writeVersion = PostgresStatement(
    "chain_version_write", .int8, .text, .int8, .bytea,
    sql: "INSERT INTO bump_chain.version (number, shape, chain_id, contract) VALUES ($1, $2, $3, $4)")

  private static let tables: StaticString = """
    CREATE TABLE bump_chain.version (
      number int8 NOT NULL,
      shape text NOT NULL, -- of the schema, as it was made
      chain_id int8 NOT NULL,
      contract bytea NOT NULL CHECK (length(contract) = 20)
    );
    CREATE TABLE bump_chain.rows ( -- see StoredChainRow
      kind text COLLATE "C" NOT NULL,
      key bytea NOT NULL,
      first bytea,
      second bytea,
      number int8,
      body bytea NOT NULL,
      PRIMARY KEY (kind, key)
    );
    CREATE INDEX rows_by_first ON bump_chain.rows (kind, first) WHERE first IS NOT NULL;
    CREATE INDEX rows_by_second ON bump_chain.rows (kind, second, key) WHERE second IS NOT NULL;
    CREATE INDEX rows_by_number ON bump_chain.rows (kind, number) WHERE number IS NOT NULL;
    CREATE UNIQUE INDEX drafts ON bump_chain.rows (first) WHERE kind = 'drafts';
    """
}
