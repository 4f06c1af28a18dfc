#if Vault
  import BumpVaultHTTP
  import BumpVaultPostgres

  /// Counts the requests of all servers of a vault together.
  struct SharedRequestLedger: RequestLedger {
    let store: PostgresVaultStore

    func take(from bucket: [UInt8], most: Int64, step: Int64) async throws -> RequestLease {
      let (count, level) = try await store.takeRequests(from: bucket, most: most, step: step)
      return RequestLease(count: count, level: level)
    }
  }

  extension OpenedStore {
    /// The ledger that counts requests; `nil` for a file, since each process on a file counts alone.
    var requests: (any RequestLedger)? {
      switch self {
      case .sqlite: nil
      case .postgres(let store): SharedRequestLedger(store: store)
      }
    }
  }
#endif
