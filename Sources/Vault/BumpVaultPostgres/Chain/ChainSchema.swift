import BumpChain
import BumpPostgres
import BumpVault
import BumpWallet

/// The tables of the store of a vault on a chain, in the schema `bump_chain` of a database. A change of them needs another
/// version.
enum ChainSchema {
  private static let version = SchemaVersion(
    name: "bump_chain", store: "the store of a vault on a chain", number: 1, creation: "CREATE SCHEMA bump_chain",
    reading: PostgresStatement(
      "chain_version", sql: "SELECT number, shape, chain_id, contract FROM bump_chain.version"))

  /// Checks the schema, or makes the tables if there are none, and checks that the store is that of this contract.
  ///
  /// - Throws: `SchemaRefusal`, `ChainStoreError`, `PostgresError`.
  static func settle(_ transaction: PostgresTransaction, _ vault: DeployedVault) async throws {
    guard let row = try await version.settle(transaction) else { return try await make(transaction, vault) }
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
    let shape = try await SchemaShape.of(version.name, in: transaction)
    try await transaction.run(
      writeVersion, .int8(version.number), .text(shape), .int8(chainID), vault.contract.value)
  }

  private static func chainID(of vault: DeployedVault) throws -> Int64 {
    guard let chainID = Int64(exactly: vault.chainID) else {
      throw ChainStoreError(.unusable, "the chain's id is more than a store can keep")
    }
    return chainID
  }

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
