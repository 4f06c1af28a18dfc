#if Vault
  import BumpChain
  import BumpVaultPostgres
  import BumpVaultSQLite

  /// An open store of a vault on a chain.
  enum OpenedChainStore: Sendable {
    case sqlite(SQLiteChainStore)
    case postgres(PostgresChainStore)

    var store: any ChainStore {
      switch self {
      case .sqlite(let store): store
      case .postgres(let store): store
      }
    }

    /// Closes the connections to a database. A file is closed with its last user.
    func close() async {
      if case .postgres(let store) = self { await store.close() }
    }
  }
#endif
