#if Vault
  import BumpVaultHTTP
  import BumpVaultPostgres

  /// The requests that all servers of a vault count together.
  struct SharedRequestLedger: RequestLedger {
    let store: PostgresVaultStore

    func take(from bucket: [UInt8], most: Int64, step: Int64) async throws -> RequestLease {
      let (count, level) = try await store.takeRequests(from: bucket, most: most, step: step)
      return RequestLease(count: count, level: level)
    }
  }

  extension OpenedStore {
    /// Where requests are counted: those of a file's vault by this process alone.
    var requests: (any RequestLedger)? {
      switch self {
      case .sqlite: nil
      case .postgres(let store): SharedRequestLedger(store: store)
      }
    }
  }
#endif
