#if Vault
  import BumpVaultHTTP
  import BumpVaultPostgres

  /// The challenges that were used at any server of a vault.
  struct SharedChallengeLog: ChallengeLog {
    let store: PostgresVaultStore

    func use(_ digest: String, until expires: Int64, at now: Int64) async throws -> Bool {
      try await store.useChallenge(digest, until: expires)
    }
  }

  extension OpenedStore {
    /// The log of used challenges. For a file, it has only those of this process: other processes on the same file do
    /// not see them.
    var challenges: any ChallengeLog {
      switch self {
      case .sqlite: ProcessChallengeLog()
      case .postgres(let store): SharedChallengeLog(store: store)
      }
    }
  }
#endif
