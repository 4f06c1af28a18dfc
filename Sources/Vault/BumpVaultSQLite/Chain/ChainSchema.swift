import BumpChain
import BumpSQLite
import BumpWallet
import GRDB

/// The tables of the store of a vault on a chain. A change of them needs another version.
enum ChainSchema {
  private static let version = 1

  /// Makes the tables in an empty file. Otherwise checks that it is such a store, and that of this contract.
  static func settle(_ database: Database, _ path: String, _ vault: DeployedVault) throws {
    guard let chainID = Int64(exactly: vault.chainID) else {
      throw ChainStoreError(.unusable, "the chain's id is more than a store can keep")
    }
    if try VaultSchema.isEmpty(database) {
      try make(in: database)
      try database.execute(sql: "INSERT INTO vault VALUES (?, ?)", arguments: [chainID, vault.contract.blob])
      return
    }
    let objects = try SchemaObjects(of: database)
    guard try Int.fetchOne(database, sql: "PRAGMA user_version") == version, try objects.areAll(madeBy: make) else {
      throw DatabaseFile.Failure("it is not the store of a vault on a chain, or was changed")
    }
    let isSame = try Bool.fetchOne(
      database, sql: "SELECT chainId = ? AND contract = ? FROM vault", arguments: [chainID, vault.contract.blob])
    guard isSame == true else {
      throw ChainStoreError(
        .otherVault, "the store \(path) is that of another contract, or of one on another chain",
        remedy: "Name the file of this contract, or another one, which is made then")
    }
  }

  private static func make(in database: Database) throws {
    try database.execute(sql: tables)
    try database.execute(sql: "PRAGMA user_version = \(version)")
  }

  private static let tables = """
    CREATE TABLE vault (chainId INTEGER NOT NULL, contract BLOB NOT NULL CHECK (length(contract) = 20)) STRICT;
    CREATE TABLE rows ( -- see StoredChainRow
      kind TEXT NOT NULL,
      key BLOB NOT NULL,
      first BLOB,
      second BLOB,
      number INTEGER,
      body BLOB NOT NULL,
      PRIMARY KEY (kind, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX rowsByFirst ON rows (kind, first) WHERE first IS NOT NULL;
    CREATE INDEX rowsBySecond ON rows (kind, second, key) WHERE second IS NOT NULL;
    CREATE INDEX rowsByNumber ON rows (kind, number) WHERE number IS NOT NULL;
    CREATE UNIQUE INDEX drafts ON rows (first) WHERE kind = 'drafts';
    """
}
